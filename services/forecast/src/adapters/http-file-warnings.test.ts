import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { summariseBarcodes } from '@parcelway/contracts/barcode-readings';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { FILE_SECRET, ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const item = (tracking_number: string) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, tracking_number });

/** Findings of a file with these barcodes. */
const found = (texts: readonly string[], change: Partial<FileFindings> = {}): FileFindings => ({
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 1,
  barcodes: summariseBarcodes(
    FILE_SECRET,
    texts.map((text) => ({ format: 'Code128', text })),
    true,
  ),
  ...change,
});

describe('a submission', () => {
  test('warns of files that may not print, each by its field', async () => {
    const files = {
      shipping_label: app.inspectedPdf('tnt_a', found([], { unusual: { page: 1, width: 297, height: 420 } })),
      shipping_note: app.inspectedPdf('tnt_a', found([], { isEncrypted: true })),
    };
    const response = await app.submit(app.submission({ ...files, items: [item('SF1234')], colour: 'red' }));
    expect(response).toMatchObject({ code: '0' });
    expect(response.data.warnings).toEqual([
      { field: 'shipping_label', message: expect.stringMatching(/^Page 1 is 297 × 420 mm/) },
      { field: 'shipping_note', message: expect.stringMatching(/encrypted/) },
      { field: 'colour', message: expect.stringMatching(/not a field/) },
    ]);
  });

  test.each([
    ['names a declared number behind a ZIP code', '42090210\u001d9400 1092 0556 8012 3456 78', '9400-1092-0556-8012-3456-78', 0],
    ['names no declared number', '9400109205568012345678', 'SF1234567890', 1],
  ])('whose label %s', async (_what, barcode, number, warnings) => {
    const shipping_label = app.inspectedPdf('tnt_a', found([barcode]));
    const response = await app.submit(app.submission({ shipping_label, items: [item(number)] }));
    expect(response.data.warnings.map(({ field }) => field)).toEqual(Array(warnings).fill('shipping_label'));
    // The same content again: the same warnings.
    expect((await app.submit(app.submission({ shipping_label, items: [item(number)] }))).data.warnings).toEqual(response.data.warnings);
  });

  test('takes no findings that were not signed for this tenant', async () => {
    const shipping_label = app.inspectedPdf('tnt_b', found([]));
    expect(await app.submit(app.submission({ shipping_label, items: [item('SF1234')] }))).toMatchObject({ code: '42203' });
  });
});
