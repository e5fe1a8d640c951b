import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import type { FileList, OwnFile } from '@parcelway/contracts/own-files-api';
import { isoInstant, ManualClock, systemClock } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { eventOf, FileServiceUnderTest, pdf, type TestResponse, tenant } from '../../testing/file-service.ts';

// From now on: what signs the requests has a clock of its own.
const clock = new ManualClock(Math.floor(systemClock.now() / 1000) * 1000 + 1);
let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open({ clock });
});
afterAll(() => service.close());

let seed = 0;
async function upload(tenantId: string, name = 'a.pdf'): Promise<{ readonly id: number; readonly url: string }> {
  const { data } = await service.uploadPdf([{ name, content: newPdf() }], tenantId);
  return { id: Number(data['attachment_id']), url: String(data['url']) };
}
const call = (tenantId: string, method: 'GET' | 'DELETE' | 'POST', path: string, body?: object): Promise<TestResponse> =>
  service.call(method, `/open/v1/files${path}`, tenant(tenantId), body);
const get = async (tenantId: string, id: number) => (await call(tenantId, 'GET', `/${id}`)).data as unknown as OwnFile;
const list = async (tenantId: string, query = '') => (await call(tenantId, 'GET', query)).data as unknown as FileList;
const idsOf = ({ files }: FileList) => files.map(({ attachment_id }) => attachment_id);
const statusOf = async (url: unknown): Promise<number> => {
  const response = await service.open(url);
  await response.arrayBuffer();
  return response.status;
};

const accept = (tenantId: string, no: string, shipping_label: string): Promise<void> =>
  service.publish(eventOf('forecast.accepted', { forecast_no: no, po_number: `PO ${no}`, shipping_label }, tenantId));
const cancel = (tenantId: string, no: string): Promise<void> =>
  service.publish(eventOf('forecast.cancelled', { forecast_no: no, cancelled_at: '2026-11-21T08:00:00.000+00:00' }, tenantId));
const untilUsed = (tenantId: string, id: number, count: number) =>
  until(async () => (await get(tenantId, id)).used_by_count === count, { what: `the file to have ${count} uses` });

describe('the list', () => {
  test('has pages and filters, of the own files alone', async () => {
    const [first, second, third] = [await upload('tnt_list'), await upload('tnt_list'), await upload('tnt_list')];
    const theirs = await upload('tnt_other');
    const page = await list('tnt_list', '?limit=1');
    expect(page.files).toHaveLength(1);
    const rest = await list('tnt_list', `?limit=2&cursor=${page.next_cursor}`);
    expect([...idsOf(page), ...idsOf(rest)].sort()).toEqual([first.id, second.id, third.id].sort());
    expect(rest.next_cursor).toBeNull();
    expect(idsOf(await list('tnt_other'))).toEqual([theirs.id]);
    expect((await call('tnt_other', 'GET', `?cursor=${page.next_cursor}`)).code).toBe('42201');
    expect(idsOf(await list('tnt_list', '?created_to=2020-01-01T00:00:00Z'))).toEqual([]);
    expect(idsOf(await list('tnt_list', '?created_from=2020-01-01T00:00:00Z&used=false'))).toHaveLength(3);
    expect((await call('tnt_list', 'GET', '?used=maybe')).code).toBe('42201');
  });

  test('shows what an upload shows, and the forecasts', async () => {
    const { id, url } = await upload('tnt_1', 'label 1.pdf');
    await accept('tnt_1', 'F1', url);
    await untilUsed('tnt_1', id, 1);
    expect(await get('tnt_1', id)).toEqual({
      url,
      attachment_id: id,
      origin_name: 'label 1.pdf',
      size_byte: 2000,
      size_info: expect.any(String),
      create_time: expect.any(String),
      warnings: expect.any(Array),
      barcodes: [],
      used_by: [{ po_number: 'PO F1', forecast_no: 'F1', fields: ['shipping_label'] }],
      used_by_count: 1,
    });
    expect(idsOf(await list('tnt_1', '?used=true'))).toEqual([id]);
  });
});

test.each(['0', '007', 'pdf', '99999999999999999999', '1.5', '16777216'])('there is no file %s', async (id) => {
  for (const [method, path] of [['GET', ''] as const, ['DELETE', ''] as const, ['POST', '/url'] as const]) {
    const response = await call('tnt_1', method, `/${id}${path}`, method === 'POST' ? {} : undefined);
    expect(response).toMatchObject({ status: 404, code: '40403', message: expect.stringContaining('There is no such file') });
  }
});

describe('a deletion', () => {
  test('is refused while a forecast names the file, which it lists', async () => {
    const { id, url } = await upload('tnt_2');
    await accept('tnt_2', 'F2', url);
    await untilUsed('tnt_2', id, 1);
    const used_by = [{ po_number: 'PO F2', forecast_no: 'F2', fields: ['shipping_label'] }];
    const message = expect.stringContaining(`Forecasts name the file ${id}: cancel them`);
    const refusal = { status: 409, code: '40902', data: { used_by, used_by_count: 1 }, message };
    expect(await call('tnt_2', 'DELETE', `/${id}`)).toMatchObject(refusal);
    expect(await statusOf(url)).toBe(200);
    await cancel('tnt_2', 'F2');
    await untilUsed('tnt_2', id, 0);
    expect((await call('tnt_2', 'DELETE', `/${id}`)).data).toEqual({ attachment_id: id, deleted: true });
    expect(await statusOf(url)).toBe(404);
  });
});

const HOUR_MS = 3_600_000;
function newPdf(): Buffer {
  seed += 1;
  return pdf(2000, seed);
}
const open = async (url: unknown) => {
  const response = await service.open(url);
  const body = await response.text();
  return { status: response.status, cache: response.headers.get('cache-control'), message: body.startsWith('{') ? body : '' };
};
const uploadFor = (seconds: string, content = newPdf()) =>
  service.uploadPdf(
    [
      { field: 'url_expires_in', content: seconds },
      { name: 'a.pdf', content },
    ],
    'tnt_1',
  );

describe('a URL that expires', () => {
  test('opens the file for that long, whether the field is before the file or behind it', async () => {
    const content = newPdf();
    const before = (await uploadFor('3600', content)).data;
    const behind = (
      await service.uploadPdf(
        [
          { name: 'a.pdf', content },
          { field: 'url_expires_in', content: '3600' },
        ],
        'tnt_1',
      )
    ).data;
    const lasting = (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data;
    expect([before['attachment_id'], before['url']]).toEqual([behind['attachment_id'], behind['url']]);
    expect([before['url_expire_time'], lasting['url_expire_time']]).toEqual([isoInstant(clock.now() + HOUR_MS + 999), null]);
    expect(await open(before['url'])).toMatchObject({ status: 200, cache: 'private, max-age=3600' });
    clock.advance(HOUR_MS - 1);
    expect(await open(before['url'])).toMatchObject({ status: 200, cache: 'private, max-age=1' });
    clock.advance(1000);
    expect(await open(before['url'])).toMatchObject({
      status: 404,
      message: expect.stringMatching(/40403.*The URL of the file has expired/),
    });
    expect(await open(String(before['url']).replace(/~[0-9a-z]+/, '~zzzzzz'))).toMatchObject({ status: 404 });
    expect(await open(String(before['url']).replace(/~[0-9a-z]+/, ''))).toMatchObject({ status: 404 });
    expect((await open(lasting['url'])).status).toBe(200);
    // It is still a receipt: the tenant's forecasts may name it.
    const owner = { tenantId: 'tnt_1', environment: 'sandbox' } as const;
    expect(readFileUrl(service.fileSecret, owner, String(before['url']))).toBeDefined();
  });

  test.each(['3599', '31536001', 'soon', '', '-1', '3600.5', '1e9'])(
    'for %j seconds is refused, and nothing is stored',
    async (seconds) => {
      const content = newPdf();
      expect(await uploadFor(seconds, content)).toMatchObject({
        status: 422,
        code: '42201',
        data: { errors: [{ field: 'url_expires_in', rule: 'range' }] },
      });
      expect((await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data['deduplicated']).toBe(false);
    },
  );

  test('is made of a file again and again', async () => {
    const { data } = await uploadFor('3600');
    const path = `/open/v1/files/${data['attachment_id']}/url`;
    const post = (body?: object) => service.call('POST', path, tenant('tnt_1'), body);
    const year = (await post({ expires_in: 31_536_000 })).data;
    expect(year).toEqual({
      attachment_id: data['attachment_id'],
      url: expect.any(String),
      expire_time: isoInstant(Math.ceil((clock.now() + 8760 * HOUR_MS) / 1000) * 1000),
    });
    const lasting = (await post()).data;
    expect(lasting['expire_time']).toBeNull();
    clock.advance(2 * HOUR_MS);
    const opened = await Promise.all([data['url'], year['url'], lasting['url']].map(open));
    expect(opened.map(({ status }) => status)).toEqual([404, 200, 200]);
    for (const body of [{ expires_in: 60 }, { expires_in: '3600' }]) expect((await post(body)).code).toBe('42201');
  });
});

test('after a change of the secret, URLs of before open the same file, and its number stays', async () => {
  const content = newPdf();
  const [lasting, ending] = [
    (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data,
    (await uploadFor('3600', content)).data,
  ];
  await service.stop();
  const path = join(service.dataDirectory, 'installation.json');
  const { fileSecret, ...kept } = JSON.parse(readFileSync(path, 'utf8')) as { fileSecret: string };
  const changed = { ...kept, fileSecret: 'n'.repeat(43), previousFileSecret: fileSecret, numberSecret: fileSecret };
  writeFileSync(path, JSON.stringify(changed));
  service = await FileServiceUnderTest.open({ clock, dataDirectory: service.dataDirectory });
  for (const { url } of [lasting, ending]) expect(await open(url)).toMatchObject({ status: 200 });
  const again = (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data;
  expect(again['attachment_id']).toBe(lasting['attachment_id']);
  expect(again['url']).not.toBe(lasting['url']);
  expect(await open(again['url'])).toMatchObject({ status: 200 });
});
