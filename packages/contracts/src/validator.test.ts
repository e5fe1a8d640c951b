import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import Type from 'typebox';
import { PoNumberQuery, poNumber } from './po-number.ts';
import { item, submission, valid, violated } from './testing/submission.ts';
import { compileValidator } from './validator.ts';

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
