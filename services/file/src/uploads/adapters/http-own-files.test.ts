import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { FileList, OwnFile } from '@parcelway/contracts/own-files-api';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { until } from '@parcelway/kernel/testing/until';
import { FileServiceUnderTest, pdf, type TestResponse, tenant } from '../../testing/file-service.ts';

let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});
afterAll(() => service.close());

let seed = 0;
async function upload(tenantId: string, name = 'a.pdf'): Promise<{ readonly id: number; readonly url: string }> {
  seed += 1;
  const { data } = await service.uploadPdf([{ name, content: pdf(2000, seed) }], tenantId);
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

const forecast = (no: string) => ({ forecast_no: no, po_number: `PO ${no}` });
const at = '2026-11-21T08:00:00.000+00:00';
const envelope = (tenantId: string, subject: string) =>
  ({ publisher: 'forecast', tenantId, environment: 'sandbox', subject, time: Date.parse(at) }) as const;
async function accept(tenantId: string, no: string, shipping_label: string): Promise<void> {
  const content = { forecast_id: 1, forecast_type: 2, warehouse_code: 'W', tracking_numbers: [], accepted_at: at };
  const data = { ...forecast(no), ...content, ...eventContent, shipping_label };
  await service.bus.publish([encodeEvent(createDomainEvent({ ...envelope(tenantId, no), type: 'forecast.accepted', data }))]);
}
async function cancel(tenantId: string, no: string): Promise<void> {
  const data = { ...forecast(no), cancelled_at: at };
  await service.bus.publish([encodeEvent(createDomainEvent({ ...envelope(tenantId, no), type: 'forecast.cancelled', data }))]);
}
const untilUsed = (tenantId: string, id: number, count: number) =>
  until(async () => (await get(tenantId, id)).used_by_count === count, { what: `the file to have ${count} uses` });

describe('the list', () => {
  test('has pages and filters, of the own files alone', async () => {
    const [first, second, third] = [await upload('tnt_list'), await upload('tnt_list'), await upload('tnt_list')];
    const theirs = await upload('tnt_other');
    const page = await list('tnt_list', '?limit=2');
    expect(page.files).toHaveLength(2);
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
    expect(await call('tnt_1', method, `/${id}${path}`, method === 'POST' ? {} : undefined)).toMatchObject({ status: 404, code: '40403' });
  }
});

describe('a deletion', () => {
  test('is refused while a forecast names the file, which it lists', async () => {
    const { id, url } = await upload('tnt_2');
    await accept('tnt_2', 'F2', url);
    await untilUsed('tnt_2', id, 1);
    const used_by = [{ po_number: 'PO F2', forecast_no: 'F2', fields: ['shipping_label'] }];
    expect(await call('tnt_2', 'DELETE', `/${id}`)).toMatchObject({ status: 409, code: '40902', data: { used_by, used_by_count: 1 } });
    expect(await statusOf(url)).toBe(200);
    await cancel('tnt_2', 'F2');
    await untilUsed('tnt_2', id, 0);
    expect((await call('tnt_2', 'DELETE', `/${id}`)).data).toEqual({ attachment_id: id, deleted: true });
    expect(await statusOf(url)).toBe(404);
  });

  test('hides the file from everybody; a repeat is harmless; the content is a new file', async () => {
    const content = pdf(2000, 777);
    const { data } = await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_3');
    const path = `/${data['attachment_id']}`;
    expect((await call('tnt_4', 'DELETE', path)).code).toBe('40403');
    for (let time = 0; time < 2; time += 1) expect((await call('tnt_3', 'DELETE', path)).code).toBe('0');
    expect((await call('tnt_3', 'GET', path)).code).toBe('40403');
    expect((await call('tnt_3', 'POST', `${path}/url`, {})).code).toBe('40403');
    const again = (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_3')).data;
    expect([again['deduplicated'], again['attachment_id'] === data['attachment_id'], again['url'] === data['url']]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await statusOf(again['url'])).toBe(200);
  });

  test('is taken back by a forecast that names the file', async () => {
    const { id, url } = await upload('tnt_5');
    expect((await call('tnt_5', 'DELETE', `/${id}`)).code).toBe('0');
    await accept('tnt_5', 'F5', url);
    await until(async () => (await statusOf(url)) === 200, { what: 'the file to be back' });
    expect((await get('tnt_5', id)).used_by_count).toBe(1);
  });
});
