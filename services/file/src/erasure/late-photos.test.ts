import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { photoTokenOf } from '@parcelway/contracts/file-receipt';
import { until } from '@parcelway/kernel/testing/until';
import { eventOf, FileServiceUnderTest, form, system, warehouse } from '../testing/file-service.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(64)]);

let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});
afterAll(() => service.close());

const statusOf = async (url: string): Promise<number> => {
  const response = await service.open(url);
  await response.arrayBuffer();
  return response.status;
};

/** A photo as the events name it. */
async function takePhoto() {
  const { data } = await service.post('/warehouse/v1/photos', warehouse('W'), form([{ name: 'a.png', content: PNG }]));
  const image_url = String(data['image_url']);
  return { id: 1, image_path: 'photo/1', image_url, file_size: 80, upload_time: '2026-11-26T08:00:00Z' };
}

test('photos whose link or end is on its way when their tenant is erased do not stay', async () => {
  const [expired, late] = [await takePhoto(), await takePhoto()];
  await service.post('/internal/v1/erased-tenants', system, Buffer.from('{"tenant_id":"tnt_gone"}'), 'application/json');
  const at = '2026-11-26T08:00:00Z';
  const over = { expired_at: at, files: [], photos: [String(photoTokenOf(expired.image_url))] };
  const report = { forecast_no: 'FC2', warehouse_code: 'W', event_id: 'e', express_no: null, occurred_at: at };
  expect([await statusOf(expired.image_url), await statusOf(late.image_url)]).toEqual([200, 200]);
  await service.publish(
    eventOf('forecast.expired', over, 'tnt_gone'),
    eventOf('warehouse.exception', { ...report, reason: 'damaged', text: null, photos: [late] }, 'tnt_gone'),
  );
  for (const { image_url } of [expired, late]) await until(async () => (await statusOf(image_url)) === 404, { what: 'the photo to end' });
});
