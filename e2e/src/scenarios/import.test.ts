import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { newPoNumber } from '@parcelway/harness/merchant';
import { Parcelway } from '@parcelway/sdk';
import { useStageWithMerchant } from '../use-stage.ts';

/* Forecasts from a spreadsheet, as a merchant imports them with the SDK. */

const { stage, merchant } = useStageWithMerchant();
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
});
