import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import fc from 'fast-check';
import Type from 'typebox';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { PoNumberQuery, poNumber } from './po-number.ts';
import { CODE_PATTERN, httpsUrl, instant, nullable, oneOf, webUrl } from './text.ts';
import { compileValidator } from './validator.ts';

const submission = compileValidator(ForecastSubmission);
const item = { sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3 };
const urls = { shipping_label: 'https://h/files/a.pdf', shipping_note: 'https://h/files/b.pdf' };
const valid = { po_number: 'PO-1', warehouse_code: 'LAX1', items: [item], ...urls };

/** Violated rules as `field rule`, in alphabetical order. */
const violated = (value: unknown): string[] =>
  submission
    .errors(value)
    .map(({ field, rule }) => `${field} ${rule}`)
    .sort();

describe('a valid submission', () => {
  test('has no errors and comes back as it is', () => {
    expect(submission.errors(valid)).toEqual([]);
    expect(submission.is(valid)).toBe(true);
    expect(submission.parse(valid)).toBe(valid);
  });

  test('is not changed: no default is filled in and unknown fields stay', () => {
    const value = { ...valid, marketplace_label: 'x', items: [{ ...item, color: 'red' }] };
    const before = structuredClone(value);
    submission.parse(value);
    expect(value).toEqual(before);
  });

  test('of type 1 needs no shipping documents', () => {
    const { shipping_label: _label, shipping_note: _note, ...bare } = valid;
    expect(violated({ ...bare, forecast_type: 1 })).toEqual([]);
    expect(violated({ ...bare, forecast_type: 2 })).toEqual(['shipping_label required', 'shipping_note required']);
    expect(violated(bare)).toEqual(['shipping_label required', 'shipping_note required']);
  });
});

describe('a field of the wrong type', () => {
  test('is listed once, whatever further rules it breaks', () => {
    const wrong = { ...valid, forecast_type: '2', warehouse_code: 7, items: [{ ...item, forecast_quantity: '0' }] };
    expect(violated(wrong)).toEqual(['forecast_type type', 'items[0].forecast_quantity type', 'warehouse_code type']);
    expect(violated({ ...valid, forecast_type: 3 })).toEqual(['forecast_type enum']);
  });
});

describe('field paths', () => {
  test('lead through arrays, and all errors come at once', () => {
    const items = [item, { product_name_en: '', forecast_quantity: 0 }, item, { ...item, sku_code: 7, hs_code: '85' }];
    expect(violated({ ...valid, po_number: ' PO', items })).toEqual([
      'items[1].forecast_quantity minimum',
      'items[1].product_name_en min_length',
      'items[1].sku_code required',
      'items[3].hs_code pattern',
      'items[3].sku_code type',
      'po_number pattern',
    ]);
  });

  test('are empty for the root', () => {
    expect(submission.errors(null)).toEqual([{ field: '', rule: 'type', message: 'The body must be an object' }]);
  });

  test('keep field names that need escaping in a JSON pointer', () => {
    const odd = compileValidator(Type.Object({ 'a/b~c': Type.Object({ 'd.e': Type.Integer() }) }));
    expect(odd.errors({ 'a/b~c': { 'd.e': 'x' } })).toMatchObject([{ field: 'a/b~c.d.e', rule: 'type' }]);
  });

  test('name an unknown field where none is allowed, and those that are known', () => {
    const number = Type.Optional(Type.Integer());
    const closed = compileValidator(Type.Object({ a: number, c: number }, { additionalProperties: false }));
    expect(closed.errors({ b: 1 })).toEqual([{ field: 'b', rule: 'unknown', message: 'b is not known here; known are a, c' }]);
    const empty = compileValidator(Type.Object({}, { additionalProperties: false }));
    expect(empty.errors({ b: 1 })).toMatchObject([{ message: 'b is not known here' }]);
  });
});

describe('types are strict', () => {
  test.each([
    ['forecast_quantity', '3'],
    ['forecast_quantity', true],
    ['forecast_quantity', null],
    ['forecast_quantity', [3]],
    ['forecast_quantity', 1.5],
    ['forecast_price', '1.00'],
    ['sku_code', 12],
    ['barcode', null],
  ])('%s is not taken from %p', (field, value) => {
    expect(violated({ ...valid, items: [{ ...item, [field]: value }] })).toEqual([`items[0].${field} type`]);
  });

  test.each([0, 3, '2', 1.5])('forecast_type %p is refused', (forecast_type) => {
    expect(violated({ ...valid, forecast_type })).toContainEqual(expect.stringMatching(/^forecast_type (enum|type)$/));
  });

  test('an integer may be written with a zero fraction, as JSON knows no difference', () => {
    expect(violated({ ...valid, items: [{ ...item, forecast_quantity: JSON.parse('3.0') }] })).toEqual([]);
  });
});

describe('limits', () => {
  test('counts characters, not UTF-16 units', () => {
    expect(violated({ ...valid, po_number: '😀'.repeat(64) })).toEqual([]);
    expect(violated({ ...valid, po_number: '😀'.repeat(65) })).toEqual(['po_number max_length']);
  });

  test.each([
    [1, []],
    [2000, []],
    [0, ['items min_items']],
    [2001, ['items max_items']],
  ])('%p items', (count, expected) => {
    expect(violated({ ...valid, items: Array.from({ length: count }, () => item) })).toEqual(expected);
  });

  test('collects at most a thousand errors and lists a hundred of them', () => {
    const items = Array.from({ length: 2000 }, () => ({}));
    expect(submission.errors({ ...valid, items })).toHaveLength(1000);
    expect(() => submission.parse({ ...valid, items })).toThrow(AppError);
  });
});

describe('formats', () => {
  const date = (due_date: string) => violated({ ...valid, due_date });
  test.each(['2026-11-21', '2028-02-29', '2000-01-01', '2100-12-31'])('%s is a date', (text) => expect(date(text)).toEqual([]));
  test.each(['2026-02-29', '2026-13-01', '2026-04-31', '2026-1-1', '21.11.2026', '2026-11-21T00:00:00Z', '', ' 2026-11-21'])(
    '%p is no date',
    (text) => expect(date(text)).toEqual(['due_date format']),
  );

  const time = compileValidator(instant('t'));
  test.each(['2026-01-31T08:00:00Z', '2026-01-31T08:00:00+08:00', '2026-01-31T08:00:00.123456-05:30'])('%s is an instant', (text) =>
    expect(time.is(text)).toBe(true),
  );
  test.each([
    '2026-01-31T08:00:00',
    '2026-01-31 08:00:00Z',
    '2026-02-30T08:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-31',
    '2026-01-31T08:00:00+25:00',
    '',
  ])('%p is no instant', (text) => expect(time.errors(text)).toMatchObject([{ field: '', rule: 'format' }]));

  const https = compileValidator(httpsUrl('u'));
  const web = compileValidator(webUrl('u'));
  test('https only, unless http is allowed as well', () => {
    expect([https.is('https://a.example/x?y=1#z'), https.is('http://a.example'), web.is('http://a.example')]).toEqual([true, false, true]);
  });
  test.each([
    'ftp://a.example',
    'javascript:alert(1)',
    '//a.example',
    'a.example',
    'https://',
    'https://a b',
    'https://a\n',
    ' https://a.example',
    '',
  ])('%p is no URL', (text) => expect([https.is(text), web.is(text)]).toEqual([false, false]));
  test('a URL has at most 2048 characters', () => {
    const of = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    expect(https.is(of(2048))).toBe(true);
    expect(https.errors(of(2049))).toMatchObject([{ rule: 'max_length' }]);
  });
});

describe('messages', () => {
  const schema = Type.Object({
    code: Type.String({ pattern: CODE_PATTERN }),
    kind: oneOf(['a', 'b'], 'kind'),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
  });
  const validator = compileValidator(schema);
  const messages = (value: unknown) => Object.fromEntries(validator.errors(value).map(({ field, message }) => [field, message]));

  test('are sentences for people, without regular expressions', () => {
    expect(messages({ code: '-', kind: 'c', note: null, tags: ['x', 'x'] })).toEqual({
      code: 'code must start with a letter or digit and contain only letters, digits and . _ -',
      kind: 'kind must be one of a, b',
      tags: 'tags must not contain the same element twice',
    });
    expect(messages({})).toEqual({
      code: 'code is required',
      kind: 'kind is required',
      note: 'note is required',
      tags: 'tags is required',
    });
    expect(messages({ code: 'A', kind: 'a', note: 'n', tags: [] })).toEqual({ tags: 'tags must have at least 1 element' });
  });

  test('name a field and rule once, also when several branches failed', () => {
    const errors = validator.errors({ code: 'A', kind: 'a', note: 5, tags: ['x'] });
    expect(errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(['note type']);
  });
});

describe('a union', () => {
  const status = Type.Integer({ minimum: 1, maximum: 7 });
  const severalOrOne = Type.Union([status, Type.Array(status, { minItems: 1 })]);
  const limit = nullable(Type.Integer({ minimum: 1 }));
  const validator = compileValidator(Type.Array(Type.Object({ limit, status: severalOrOne, deep: nullable(severalOrOne) })));
  const valid = { limit: null, status: 3, deep: null };
  const messages = (...values: object[]) => validator.errors(values.map((value) => ({ ...valid, ...value }))).map(({ message }) => message);

  test.each([
    [{ limit: 0 }, ['[0].limit must be at least 1']],
    [{ status: 9 }, ['[0].status must be at most 7']],
    [{ status: [9, 'x'] }, ['[0].status[0] must be at most 7', '[0].status[1] must be an integer']],
    [{ status: [] }, ['[0].status must have at least 1 element']],
    [{ deep: 9 }, ['[0].deep must be at most 7']],
    [{ deep: [0] }, ['[0].deep[0] must be at least 1']],
  ])('says of %j only what the branch for a value of its type says', (value, expected) => {
    expect(messages(value)).toEqual(expected);
  });

  test('names a type when no branch is for a value of that type', () => {
    expect(messages({ limit: 'x' })).toEqual(['[0].limit must be an integer']);
  });

  test('judges each value of a list by itself', () => {
    expect(messages({ limit: 0 }, { limit: 'x' }, { limit: 0 })).toEqual([
      '[0].limit must be at least 1',
      '[1].limit must be an integer',
      '[2].limit must be at least 1',
    ]);
  });
});

test('names the fields of an object schema', () => {
  expect(compileValidator(PoNumberQuery).fields).toEqual(['po_number']);
  expect(compileValidator(poNumber).fields).toEqual([]);
});

describe('parse', () => {
  test('throws a 42201 with the errors', () => {
    let thrown: unknown;
    try {
      submission.parse({ ...valid, po_number: '' });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'po_number', rule: 'min_length', message: 'po_number must not be empty' }] },
    });
  });
});

describe('compiling', () => {
  test('takes a schema with an $id more than once, also inside another', () => {
    const part = Type.Object({ a: Type.Integer() }, { $id: 'Part' });
    const whole = Type.Object({ parts: Type.Array(part) }, { $id: 'Whole' });
    expect([compileValidator(part).is({ a: 1 }), compileValidator(part).is({ a: 'x' })]).toEqual([true, false]);
    expect(compileValidator(whole).errors({ parts: [{ a: 1 }, {}] })).toMatchObject([{ field: 'parts[1].a', rule: 'required' }]);
  });
});

describe('numbers', () => {
  const price = (text: string) => submission.errors({ ...valid, items: [{ ...item, forecast_price: JSON.parse(text) as unknown }] });

  test.each(['0', '0.1', '12.5', '1.1', '0.0001', '3.1416', '1e-4', '99999999.9999', '29.9', '100.0000', '4.35', '1.005'])(
    'a price may be %s',
    (text) => expect(price(text)).toEqual([]),
  );

  test.each(['3.14159265', '0.00001', '99999999.99985', '1e-5', '0.30000000000000004', '1.00001'])('a price may not be %s', (text) => {
    expect(price(text)).toEqual([
      { field: 'items[0].forecast_price', rule: 'multiple_of', message: 'items[0].forecast_price must have at most 4 decimals' },
    ]);
  });

  test('every price of up to 4 decimals is one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (tenThousandths) =>
        expect(price(String(tenThousandths / 10_000))).toEqual([]),
      ),
    );
    const tooFine = fc.tuple(
      fc.integer({ min: 0, max: 99_999_998 }),
      fc.integer({ min: 1, max: 99_999 }).filter((part) => part % 10 !== 0),
    );
    fc.assert(
      fc.property(tooFine, ([whole, part]) =>
        expect(price(`${whole}.${String(part).padStart(5, '0')}`)).toMatchObject([{ rule: 'multiple_of' }]),
      ),
    );
  });

  test('one that no double holds as written comes from the parser as infinite, and is named as such', () => {
    const [error, ...others] = price('1e999');
    expect([error?.rule, others]).toEqual(['precision', []]);
    expect(violated({ ...valid, items: [{ ...item, forecast_quantity: Number.POSITIVE_INFINITY }] })).toEqual([
      'items[0].forecast_quantity precision',
    ]);
    expect(violated({ ...valid, po_number: Number.POSITIVE_INFINITY })).toEqual(['po_number type']);
    expect(violated({ ...valid, unknown: Number.POSITIVE_INFINITY })).toEqual([]);
  });
});

test('a day lies in the years 2000 to 2100', () => {
  expect(violated({ ...valid, due_date: '0000-01-01' })).toEqual(['due_date minimum']);
  expect(submission.errors({ ...valid, due_date: '1999-12-31' })).toMatchObject([{ message: 'due_date must be 2000-01-01 or later' }]);
  expect(submission.errors({ ...valid, due_date: '2101-01-01' })).toMatchObject([{ message: 'due_date must be 2100-12-31 or earlier' }]);
});

describe('names in a map', () => {
  const map = compileValidator(
    Type.Object({ m: Type.Record(Type.String(), Type.String(), { maxProperties: 2, propertyNames: { minLength: 1, maxLength: 3 } }) }),
  );

  test('are judged as values are', () => {
    expect(map.errors({ m: { abc: 'x' } })).toEqual([]);
    expect(map.errors({ m: { abcd: 'x', '': 'x' } })).toEqual([
      { field: 'm.abcd', rule: 'max_length', message: 'The name of m.abcd must have at most 3 characters' },
      { field: 'm.', rule: 'min_length', message: 'The name of m. must not be empty' },
    ]);
  });
});

describe('bounds', () => {
  test('elements behind the bound of an array are not looked at', () => {
    const items: unknown[] = Array.from({ length: 3000 }, () => item);
    items[2000] = {};
    items[2500] = {};
    const missing = ['forecast_quantity', 'product_name_en', 'sku_code'].map((name) => `items[2000].${name} required`);
    expect(violated({ ...valid, items })).toEqual(['items max_items', ...missing]);
    expect(items).toHaveLength(3000);
  });

  test('an instant has a bounded length', () => {
    const when = compileValidator(Type.Object({ at: instant('When') }));
    expect(when.is({ at: '2026-01-31T08:00:00.123456789+08:00' })).toBe(true);
    expect(when.is({ at: `2026-01-31T08:00:00.${'0'.repeat(100)}+08:00` })).toBe(false);
  });
});
