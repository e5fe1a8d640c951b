import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { newPoNumber } from '@parcelway/harness/merchant';
import { Parcelway } from '@parcelway/sdk';
import { useSharedStageWithMerchant } from '../use-stage.ts';

/* Forecasts from a spreadsheet, as a merchant imports them with the SDK. */

const { stage, merchant } = useSharedStageWithMerchant();
const clients: Parcelway[] = [];
afterAll(() => {
  for (const client of clients) client.close();
});

function clientOf({ identity }: Merchant): Parcelway {
  const { base_url: baseUrl, ca_file } = stage.platform.quickstart;
  const client = new Parcelway({ apiKey: identity.key, baseUrl, ca: readFileSync(ca_file) });
  clients.push(client);
  return client;
}

const csv = (rows: readonly (readonly (string | number)[])[]): Buffer =>
  Buffer.from(['订单号;仓库;类型;SKU;英文品名;数量', ...rows.map((row) => row.join(';'))].join('\r\n'));

describe('an import', () => {
  test('submits forecasts, which go their way as any others; what failed can be corrected and imported again', async () => {
    const parcelway = clientOf(merchant);
    const { warehouseCode } = merchant.identity;
    const [first, second] = [newPoNumber(), newPoNumber()];
    const content = csv([
      [first, warehouseCode, 1, 'A', 'Lamp', 2],
      [second, warehouseCode, 1, 'B', 'Lamp', 0],
      [first, '', '', 'C', 'Shade', 3],
    ]);
    // The merchant's warehouse is known everywhere once a forecast has been accepted.
    await merchant.untilAccepted(await merchant.body({ forecastType: 1 }));
    const begun = await parcelway.imports.create({ name: '预报.csv', content });
    expect(begun).toMatchObject({ state: 'running', file_name: '预报.csv', finish_time: null });
    const phases: string[] = [];
    const done = await parcelway.imports.waitUntilDone(begun.import_id, { onProgress: ({ phase }) => phases.push(phase) });
    expect(phases.at(-1)).toBe('finished');
    expect(done).toMatchObject({ state: 'done', total: 3, accepted: 2, failed: 1, forecasts_accepted: 1, forecasts_failed: 1 });
    expect((await parcelway.forecasts.get(first)).items).toHaveLength(2);
    await merchant.simulate({ po_number: first, step: 'weigh' });

    const failed: string[] = [];
    for await (const row of parcelway.imports.rows(begun.import_id, { state: 'failed', limit: 1 })) {
      failed.push(`${row.row}: ${row.errors.map(({ field, message }) => `${field}, ${message}`).join()}`);
    }
    expect(failed).toEqual(['3: 数量, 数量 must be at least 1']);
    const { content: again, mediaType } = await parcelway.imports.failedCsv(begun.import_id);
    expect(mediaType).toBe('text/csv; charset=utf-8');
    const workbook = await parcelway.imports.failedRows(begun.import_id, { format: 'xlsx' });
    expect(workbook.mediaType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const { rows } = await parcelway.imports.preview({ name: 'failed.xlsx', content: workbook.content });
    expect(rows).toMatchObject([{ po_number: second, errors: [{ field: '数量' }] }]);
    const corrected = Buffer.from(again).toString().replace(',0,', ',5,');
    const retried = await parcelway.imports.create({ name: 'failed.csv', content: Buffer.from(corrected) });
    expect(await parcelway.imports.waitUntilDone(retried.import_id)).toMatchObject({ accepted: 1, failed: 0, warnings: [] });
    const listed: string[] = [];
    for await (const one of parcelway.imports.list({ limit: 1 })) listed.push(one.import_id);
    expect(listed).toEqual([retried.import_id, begun.import_id]);
  });

  test('takes the template as XLSX with real labels; a preview shows what it would become', async () => {
    const parcelway = clientOf(merchant);
    const template = await parcelway.imports.templateXlsx();
    const preview = await parcelway.imports.preview({ name: 'template.xlsx', content: template.content });
    expect(preview.missing).toEqual([]);
    expect(preview.rows[0]?.errors.map(({ field }) => field)).toEqual(['shipping_label', 'shipping_note']);
    const { label, note } = await merchant.files();
    const text = Buffer.from((await parcelway.imports.templateCsv()).content).toString();
    const content = Buffer.from(
      text
        .replaceAll('https://api.example.com/files/your-label.pdf', label)
        .replaceAll('https://api.example.com/files/your-packing-list.pdf', note)
        .replaceAll('SF123456789012', newPoNumber('TRK')),
    );
    const { import_id } = await parcelway.imports.create({ name: 'template.csv', content, validateOnly: true });
    expect(await parcelway.imports.waitUntilDone(import_id)).toMatchObject({ validate_only: true, accepted: 2, failed: 0 });
  });

  test('of many rows can be cancelled; what was accepted stays', async () => {
    const parcelway = clientOf(await stage.operator.newMerchant());
    const prefix = newPoNumber();
    const rows = Array.from({ length: 8000 }, (_, index) => [`${prefix}-${index}`, merchant.identity.warehouseCode, 1, 'A', 'Lamp', 1]);
    const { import_id } = await parcelway.imports.create({ name: 'many.csv', content: csv(rows) });
    await expect(
      parcelway.imports.waitUntilDone(import_id, {
        onProgress: ({ accepted }) => {
          if (accepted > 0) throw new Error('it has begun');
        },
      }),
    ).rejects.toThrow('it has begun');
    const cancelled = await parcelway.imports.cancel(import_id);
    expect(cancelled).toMatchObject({ state: 'cancelled', phase: 'finished' });
    expect(await parcelway.imports.cancel(import_id)).toMatchObject({ state: 'cancelled' });
    const { accepted } = await parcelway.imports.get(import_id);
    expect(accepted).toBeLessThan(8000);
    expect((await parcelway.forecasts.get(`${prefix}-0`)).status_name).toBe('ACCEPTED');
  });

  test.each([
    ['a picture', 'a.xlsx', Buffer.from('PNG'), '42205'],
    ['another type', 'a.pdf', Buffer.from('%PDF'), '42205'],
    ['more than 20 MB', 'a.csv', Buffer.alloc(20_971_521, 'x'), '42206'],
  ])('of %s is refused', async (_name, name, content, code) => {
    const parcelway = clientOf(merchant);
    await expect(parcelway.imports.create({ name, content })).rejects.toMatchObject({ code });
  });

  test('of a file that cannot be read fails, and says why', async () => {
    const parcelway = clientOf(merchant);
    const { import_id } = await parcelway.imports.create({ name: 'a.xlsx', content: Buffer.from('PK\x03\x04 and no more') });
    const failed = await parcelway.imports.waitUntilDone(import_id);
    expect(failed).toMatchObject({ state: 'failed', error: { code: '42205' }, total: 0 });
    await expect(parcelway.imports.cancel(import_id)).rejects.toMatchObject({ code: '40902' });
  });
});
