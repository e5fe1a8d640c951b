import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const NOW = Date.UTC(2026, 10, 26);
const ctl = parcelctlWithServer();

interface Batch {
  readonly tenantId: string;
  readonly kind: string;
  readonly records: readonly { readonly id: string; readonly data: object }[];
}

/** Writes an object as the platform does. */
function archiveBatch({ tenantId, kind, records }: Batch, at: number, name = `object${at}`): void {
  const archived_at = new Date(at).toISOString();
  const folder = join(ctl.directory, 'archive', tenantId, kind, archived_at.slice(0, 10).replaceAll('-', '/'));
  mkdirSync(folder, { recursive: true });
  const lines = records.map((record) => `${JSON.stringify({ schema: 1, kind, tenant_id: tenantId, archived_at, ...record })}\n`);
  writeFileSync(join(folder, `${name}.ndjson.gz`), gzipSync(lines.join('')));
}

beforeEach(() => {
  const forecast = (no: string) => ({ id: no, data: { forecast_no: no, po_number: `PO-${no}`, status_name: 'COMPLETED' } });
  archiveBatch({ tenantId: 'tnt_1', kind: 'forecasts', records: [forecast('F1'), forecast('F2')] }, NOW);
  archiveBatch({ tenantId: 'tnt_1', kind: 'forecasts', records: [forecast('F2')] }, NOW + 1000, 'a-first');
  archiveBatch({ tenantId: 'tnt_2', kind: 'forecasts', records: [forecast('F9')] }, NOW - 86_400_000);
  const data = { forecast_no: 'F1', po_number: 'PO-F1', tracking_number: 'JD1', latest_status: 'Delivery Success' };
  archiveBatch({ tenantId: 'tnt_1', kind: 'shipments', records: [{ id: 'F1 JD1', data }] }, NOW);
});

const parcelctl = (...args: readonly string[]) => ctl.run(['archive', ...args], { env: { DATA_DIR: ctl.directory } });
const json = async (...args: readonly string[]) => JSON.parse((await parcelctl(...args, '--json')).out);

describe('parcelctl archive', () => {
  test('list shows objects by tenant, kind and day', async () => {
    const { objects } = await json('list');
    expect(objects).toHaveLength(4);
    expect(objects[0]).toMatchObject({ tenant_id: 'tnt_1', kind: 'forecasts', day: '2026-11-26', bytes: expect.any(Number) });
    expect((await json('list', '--tenant', 'tnt_2')).objects).toHaveLength(1);
    expect((await json('list', '--kind', 'shipments')).objects).toHaveLength(1);
    expect((await json('list', '--to', '2026-11-25')).objects).toMatchObject([{ tenant_id: 'tnt_2' }]);
    expect((await json('list', '--from', '2026-11-26', '--limit', '1')).objects).toHaveLength(1);
    expect((await parcelctl('list', '--tenant', 'tnt_3')).out).toBe('Nothing is archived that matches.\n');
  });

  test('show prints the records of an object', async () => {
    const { objects } = await json('list', '--tenant', 'tnt_2');
    const { records } = await json('show', objects[0].object);
    expect(records).toMatchObject([{ schema: 1, id: 'F9', data: { po_number: 'PO-F9' } }]);
    expect((await parcelctl('show', objects[0].object)).out).toMatch(/forecasts +tnt_2 +F9 +PO-F9 +COMPLETED/);
    expect(await parcelctl('show', 'tnt_2/forecasts/2026/11/25/none.ndjson.gz')).toMatchObject({ code: 1, out: '' });
    expect(await parcelctl('show', '../../etc/passwd')).toMatchObject({ code: 1, err: expect.stringContaining('There is no object') });
  });

  test('find finds a forecast by any of its numbers, once', async () => {
    expect((await json('find', 'F2')).records).toMatchObject([{ id: 'F2', archived_at: '2026-11-26T00:00:01.000Z' }]);
    expect((await json('find', 'PO-F1')).records).toHaveLength(2);
    expect((await json('find', 'JD1')).records).toMatchObject([{ kind: 'shipments' }]);
    expect(await parcelctl('find', 'F3')).toMatchObject({ code: 1, out: 'Nothing is archived that matches.\n' });
  });

  test.each(['JD 0000-1', 'jd00001', ' JD00001 '])('find takes a logistics number as %p', async (number) => {
    const items = [{ sku_code: 'S1' }, { sku_code: 'S2', tracking_number: 'JD00001' }];
    archiveBatch({ tenantId: 'tnt_4', kind: 'forecasts', records: [{ id: 'F7', data: { forecast_no: 'F7', items } }] }, NOW);
    const shipment = { forecast_no: 'F8', tracking_number: 'jd-0000-1' };
    archiveBatch({ tenantId: 'tnt_4', kind: 'shipments', records: [{ id: 'F8 JD00001', data: shipment }] }, NOW);
    const { records } = await json('find', number);
    expect(records.map(({ id }: { id: string }) => id)).toEqual(['F7', 'F8 JD00001']);
  });

  test('find takes a forecast number in any case, and a po_number exactly', async () => {
    expect((await json('find', 'f2')).records).toMatchObject([{ id: 'F2' }]);
    expect((await json('find', ' PO-F1 ')).records).toHaveLength(2);
    expect((await json('find', 'po-f1')).records).toEqual([]);
    expect([(await json('find', '')).records, (await json('find', ' - ')).records]).toEqual([[], []]);
  });

  test('export writes records to a new file', async () => {
    const file = join(ctl.directory, 'out.ndjson');
    expect(await json('export', '--tenant', 'tnt_1', '--kind', 'forecasts', '--to-file', file)).toEqual({ file, records: 3 });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(['F1', 'F2', 'F2']);
    expect(await parcelctl('export', '--to-file', file)).toMatchObject({ code: 2, err: expect.stringContaining('exists already') });
  });

  test('export to - prints the records alone, and counts them on standard error', async () => {
    const { code, out, err } = await parcelctl('export', '--tenant', 'tnt_1', '--kind', 'forecasts', '--to-file', '-');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id)
        .sort(),
    ).toEqual(['F1', 'F2', 'F2']);
    expect({ code, err }).toEqual({ code: 0, err: 'Wrote 3 records.\n' });
    expect(existsSync('-')).toBe(false);
    expect(await parcelctl('export', '--tenant', 'tnt_3', '--to-file', '-')).toEqual({
      code: 1,
      out: '',
      err: 'Nothing is archived of tenant tnt_3. Nothing was written.\n',
    });
    expect((await parcelctl('export', '--tenant', 'tnt_2', '--to-file', '-', '--json')).err).toBe('{"records":1}\n');
  });

  test.each([
    [['--tenant', 'tnt_3'], 'Nothing is archived of tenant tnt_3. No file was written.\n'],
    [['--tenant', '../tnt_1'], 'Nothing is archived of tenant ../tnt_1. No file was written.\n'],
    [['--tenant', 'tnt_1', '--to', '2026-11-01'], expect.stringMatching(/^Nothing is archived that matches\. No file was written\./)],
    [['--to', '2026-11-01'], expect.stringMatching(/^Nothing is archived that matches\. No file was written\./)],
  ])('export %p writes no file and says why', async (options, err) => {
    const file = join(ctl.directory, 'out.ndjson');
    expect(await parcelctl('export', ...options, '--to-file', file)).toEqual({ code: 1, out: '', err });
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['list', '--from', 'today'],
    ['list', '--from', '2026-02-30'],
    ['list', '--kind', 'keys'],
    ['list', '--limit', '0'],
    ['export'],
  ])('%p %p %p is wrong usage', async (...args) => {
    expect((await parcelctl(...args)).code).toBe(2);
  });
});
