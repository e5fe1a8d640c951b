import { describe, expect, test } from '@jest/globals';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import type { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { routes } from '@parcelway/contracts/routes';
import { type CanonicalForecast, canonicalForecast } from '../../store/domain/canonical.ts';
import { correctionWarnings, isPast, MAX_WARNINGS, numberWarnings, submissionWarnings, WORDS_OF_PATHS } from './warnings.ts';

const warningsOf = (submission: ForecastSubmission, now: number) =>
  submissionWarnings(
    submission,
    { content: canonicalForecast(submission), files: {}, namesAny: () => false, scannedElsewhere: new Set() },
    now,
  );

describe('isPast', () => {
  // The 20th ends last at UTC-12, when it is noon of the 21st in UTC.
  test.each([
    ['2026-11-20', Date.UTC(2026, 10, 21, 11, 59, 59, 999), false],
    ['2026-11-20', Date.UTC(2026, 10, 21, 12), true],
    ['2026-11-21', Date.UTC(2026, 10, 21, 12), false],
    ['2026-12-31', Date.UTC(2027, 0, 1, 12), true],
    ['2027-01-01', Date.UTC(2026, 10, 21, 12), false],
  ])('%s at %d → %p', (date, now, expected) => {
    expect(isPast(date, now)).toBe(expected);
  });
});

test('an ignored name is shown cut, so that a warning stays short', () => {
  const submission = {
    po_number: 'P',
    warehouse_code: 'W',
    items: [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1 }],
    ['x'.repeat(1_000_000)]: 1,
  } as ForecastSubmission;
  const [warning] = warningsOf(submission, 0);
  expect(warning?.field).toBe('x'.repeat(100));
  expect(warning?.message.length).toBeLessThan(200);
});

test('the words of paths are those of the routes', () => {
  const words = routes.map(({ path }) => /^\/open\/v1\/forecasts\/(\w+)/.exec(path)?.[1]).filter((word) => word !== undefined);
  expect(WORDS_OF_PATHS).toEqual(['.', '..', ...[...new Set(words)].sort()]);
});

describe('a submission with', () => {
  const submission = (given: object = {}, items: object[] = [{}]): ForecastSubmission =>
    ({
      po_number: 'P',
      warehouse_code: 'W',
      items: items.map((item) => ({ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, ...item })),
      ...given,
    }) as ForecastSubmission;
  const NOON = Date.UTC(2026, 10, 21, 12);

  test('a po_number that is a word of a path says how to read it', () => {
    const [warning] = warningsOf(submission({ po_number: 'tracking' }), NOON);
    expect(warning).toMatchObject({ field: 'po_number', message: expect.stringMatching(/Read it with POST \/open\/v1\/forecasts\/query/) });
  });

  test('unknown fields and a past date has one for each', () => {
    const odd = submission({ colour: 'red', marketplace_label: 'x', due_date: '2026-11-20' }, [{}, { size: 'L' }]);
    expect(warningsOf(odd, NOON)).toMatchObject([
      { field: 'colour', message: 'colour is not a field of a forecast and was ignored' },
      { field: 'marketplace_label', message: expect.stringMatching(/label is generated/) },
      { field: 'due_date', message: 'due_date is in the past' },
      { field: 'items[1].size', message: 'items[1].size is not a field of a forecast and was ignored' },
    ]);
  });

  test('a typo in the name of a field names the field that was meant', () => {
    const typos = submission({ due_dat: '2026-12-01', forecast_quantity: 1 }, [{ quantity: 1, due_date: '2026-12-01' }]);
    expect(warningsOf(typos, NOON).map(({ message }) => message)).toEqual([
      'due_dat is not a field of a forecast and was ignored; did you mean due_date?',
      'forecast_quantity is not a field of a forecast and was ignored',
      'items[0].quantity is not a field of a forecast and was ignored; did you mean forecast_quantity?',
      'items[0].due_date is not a field of a forecast and was ignored',
    ]);
  });

  test('a wrong check digit has a warning, which ignored fields do not push off the list', () => {
    const unknown = Object.fromEntries(Array.from({ length: MAX_WARNINGS }, (_, index) => [`unknown${index}`, 1]));
    const warnings = warningsOf(submission(unknown, [{}, { tracking_number: 'RB 123456786 GB' }]), NOON);
    expect(warnings).toHaveLength(MAX_WARNINGS);
    expect(warnings[0]).toMatchObject({ field: 'items[1].tracking_number', message: expect.stringMatching(/UPU S10.*check digit/) });
  });

  test.each([MAX_WARNINGS - 1, MAX_WARNINGS, MAX_WARNINGS + 1])('%i unknown fields has a hundred warnings at most', (count) => {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]));
    const expected = Math.min(count, MAX_WARNINGS);
    expect(warningsOf(submission(unknown), NOON)).toHaveLength(expected);
    expect(warningsOf(submission({}, [unknown]), NOON)).toHaveLength(expected);
    expect(warningsOf(submission({ ...unknown, due_date: '2026-11-20' }, [{ size: 'L' }]), NOON)).toHaveLength(MAX_WARNINGS);
  });
});

test('a correction warns of the check digits of the items that it sends, and of no others', () => {
  const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'RB123456786GB' }];
  const content = canonicalForecast({ po_number: 'P', warehouse_code: 'W', items });
  const warned = { content, files: {}, namesAny: () => false, scannedElsewhere: new Set<string>() };
  expect(correctionWarnings({ items }, warned, 0).map(({ field }) => field)).toEqual(['items[0].tracking_number']);
  expect(correctionWarnings({ due_date: '2026-12-24' }, warned, 0)).toEqual([]);
});

const itemsOf = (numbers: readonly (string | undefined)[]): ForecastItem[] =>
  numbers.map((tracking_number) => ({
    sku_code: 'S',
    product_name_en: 'L',
    forecast_quantity: 1,
    ...(tracking_number !== undefined && { tracking_number }),
  }));

const fieldsOf = (numbers: readonly (string | undefined)[]): string[] =>
  numberWarnings(itemsOf(numbers), new Set()).map(({ field }) => field);

describe('numberWarnings', () => {
  test('names the field and the format of a number whose check digit is wrong, however it is written', () => {
    expect(numberWarnings(itemsOf([undefined, '1Z999AA10123456784', '1z 999-aa1 0123 456785']), new Set())).toEqual([
      { field: 'items[2].tracking_number', message: expect.stringMatching(/format UPS 1Z, but its check digit does not fit/) },
    ]);
  });

  test('says once that a scan under a number went elsewhere, and not whose it is', () => {
    expect(numberWarnings(itemsOf(['sf-1234', 'SF1234', 'SF9999']), new Set(['SF1234']))).toEqual([
      {
        field: 'items[0].tracking_number',
        message: expect.stringMatching(/^The warehouse has scanned .* went elsewhere\. Ask the warehouse/),
      },
    ]);
  });

  test('says nothing of numbers that are right, of an unknown form, or not given', () => {
    expect(fieldsOf(['RB123456785GB', 'SF1234567890123', '996578788855', 'HELLOWORLD', undefined])).toEqual([]);
  });

  test('names a number that several items share at the first of them', () => {
    expect(fieldsOf(['RB123456786GB', 'rb 1234 56786 gb', 'RB123456787GB', 'RB123456786GB'])).toEqual([
      'items[0].tracking_number',
      'items[2].tracking_number',
    ]);
  });
});

const usual: FileFindings = {
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 1,
  barcodes: { hasNumber: true, readings: ['00000000'] },
};

const forecast = (change: Partial<CanonicalForecast> = {}): CanonicalForecast => ({
  po_number: 'PO-1',
  forecast_type: 2,
  warehouse_code: 'WH1',
  shipping_label: 'label',
  shipping_note: 'note',
  items: [{ sku_code: 'A', product_name_en: 'A', forecast_quantity: 1, tracking_number: 'SF1' }],
  ...change,
});

const BARCODE = {
  field: 'shipping_label',
  message: expect.stringMatching(/^No barcode of the shipping label names a declared tracking_number/),
};

function warnings(change: Partial<CanonicalForecast>, files: Record<string, Partial<FileFindings>>, named: readonly string[] = ['SF1']) {
  const asked: string[][] = [];
  const content = forecast(change);
  const fileOf = (url = '') => ({ findings: files[url] && { ...usual, ...files[url] } });
  const warned = {
    content,
    files: { shipping_label: fileOf(content.shipping_label), shipping_note: fileOf(content.shipping_note) },
    scannedElsewhere: new Set<string>(),
    namesAny: (_barcodes: unknown, numbers: readonly string[]) =>
      asked.push([...numbers]) > 0 && numbers.some((number) => named.includes(number)),
  };
  const found = submissionWarnings(content as ForecastSubmission, warned, 0);
  expect(correctionWarnings({ due_date: null }, warned, 0)).toEqual(found);
  return { found, asked: asked.slice(0, asked.length / 2) };
}

describe('the files of a forecast', () => {
  test('have the warnings of the upload, each of its field', () => {
    const page = { page: 2, width: 297, height: 420 };
    expect(warnings({}, { label: { isEncrypted: true }, note: { pages: 21 } }).found).toEqual([
      { field: 'shipping_label', message: expect.stringMatching(/is encrypted/) },
      { field: 'shipping_note', message: expect.stringMatching(/has 21 pages/) },
    ]);
    expect(warnings({}, { label: { unusual: page, differing: page }, note: { unusual: page, differing: page } }).found).toEqual([
      { field: 'shipping_label', message: expect.stringMatching(/^Page 2 is 297 × 420 mm, which neither/) },
      { field: 'shipping_label', message: expect.stringMatching(/differs from page 1/) },
      { field: 'shipping_note', message: expect.stringMatching(/^Page 2 is 297 × 420 mm, which neither/) },
    ]);
  });
});

describe('the barcodes of a shipping label', () => {
  test('that name none of the declared numbers have a warning', () => {
    expect(warnings({}, { label: {} }, []).found).toEqual([BARCODE]);
  });

  test('are compared with every declared number, each once', () => {
    const item = (tracking_number?: string) => ({
      sku_code: 'A',
      product_name_en: 'A',
      forecast_quantity: 1,
      ...(tracking_number !== undefined && { tracking_number }),
    });
    const { found, asked } = warnings({ items: [item('SF1'), item(), item('SF2'), item('SF1')] }, { label: {} }, ['SF2']);
    expect([found, asked]).toEqual([[], [['SF1', 'SF2']]]);
  });

  test.each<[string, Partial<CanonicalForecast>, Record<string, Partial<FileFindings>>]>([
    ['of type 1', { forecast_type: 1 }, { label: {} }],
    ['of a forecast without numbers', { items: [{ sku_code: 'A', product_name_en: 'A', forecast_quantity: 1 }] }, { label: {} }],
    ['that look like no number', {}, { label: { barcodes: { hasNumber: false, readings: ['00000000'] } } }],
    ['of the packing list', {}, { note: {} }],
  ])('%s are not compared', (_what, change, files) => {
    expect(warnings(change, files, [])).toEqual({ found: [], asked: [] });
  });
});
