import { describe, expect, test } from '@jest/globals';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import type { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import type { CanonicalForecast } from './canonical.ts';
import { correctionWarnings, submissionWarnings } from './warnings.ts';

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
  test('that are usual, or were not inspected, have no warning', () => {
    expect(warnings({}, { label: {}, note: {} }).found).toEqual([]);
    expect(warnings({}, {}).found).toEqual([]);
    expect(warnings({ forecast_type: 1, shipping_label: undefined as never, shipping_note: undefined as never }, {}).found).toEqual([]);
  });

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
