import { beforeEach, describe, expect, test } from '@jest/globals';
import { encodeImageId } from '@parcelway/contracts/file-receipt';
import { isoInstant } from '@parcelway/kernel/clock';
import { app, type CallOptions, FILE_SECRET, START, useHarness } from '../../testing/forecast-harness.ts';

useHarness();
let forecastNo: string;
beforeEach(async () => {
  forecastNo = (await app.submit(app.submission())).data.forecast_no;
});

const token = (letter: string): string => letter.repeat(22);
const imageId = (letter: string, tenant_id = 'tnt_a', environment: 'sandbox' | 'production' = 'sandbox', secret = FILE_SECRET) =>
  encodeImageId(secret, {
    id: letter.charCodeAt(0),
    image_path: `photo/${letter}`,
    image_url: `https://localhost/photos/${token(letter)}.png`,
    file_size: 7,
    upload_time: isoInstant(START),
    tenant_id,
    environment,
  });
const add = (letter: string, over: object = {}, options: CallOptions = {}) =>
  app.call('POST', '/open/v1/forecasts/PO-1/images', { body: { image_id: imageId(letter), image_type: 'product', ...over }, ...options });
const remove = (id: number | string, options: CallOptions = {}) => app.call('DELETE', `/open/v1/forecasts/PO-1/images/${id}`, options);
const images = async () => (await app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data.forecast_images;
const announced = async () => (await app.published()).filter(({ type }) => type === 'forecast.images_changed').map(({ data }) => data);

const photo = {
  image_path: 'photos/1',
  image_url: `https://localhost/photos/${token('w')}.jpg`,
  file_size: 1,
  upload_time: isoInstant(START),
};
const photographed = (image_order: number) =>
  app.deliver('warehouse.photographed', {
    event_id: `we-${image_order}`,
    forecast_no: forecastNo,
    warehouse_code: 'WH1',
    express_no: null,
    occurred_at: isoInstant(START),
    photo: { id: image_order, ...photo },
    image_type: 'package',
    image_order,
  });

describe("a tenant's own images", () => {
  test('are shown among those of the warehouse, in any state, and do not change the version', async () => {
    await photographed(5);
    const added = await add('a', { image_order: 7, image_type: 'document' });
    expect([added.status, added.data]).toEqual([
      200,
      {
        id: 97,
        forecast_id: expect.any(Number),
        image_type: 'document',
        image_url: `https://localhost/photos/${token('a')}.png`,
        image_order: 7,
        upload_source: 'tenant',
      },
    ]);
    await add('b');
    const shown = (await images()).map(({ image_order, upload_source }) => [image_order, upload_source]);
    expect(shown).toEqual([
      [0, 'tenant'],
      [5, 'warehouse'],
      [7, 'tenant'],
    ]);
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).data.version).toBe(1);
  });

  test('are the tenant’s alone: images of the warehouse, and of nobody, are not removed', async () => {
    await photographed(5);
    await add('a');
    for (const id of [5, 999, 'x', '0097']) expect(await remove(id)).toMatchObject({ status: 404, code: '40403' });
    expect(await remove(97, { tenant: 'tnt_b' })).toMatchObject({ status: 404, code: '40401' });
    expect((await remove(97)).data).toEqual({ po_number: 'PO-1', id: 97, removed: true });
    expect((await remove(97)).code).toBe('40403');
  });

  test.each<[string, object]>([
    ['of another tenant', { image_id: imageId('a', 'tnt_b') }],
    ['of another environment', { image_id: imageId('a', 'tnt_a', 'production') }],
    ['of another installation', { image_id: imageId('a', 'tnt_a', 'sandbox', 'another secret') }],
    ['that is none', { image_id: 'im_x' }],
  ])('an image_id %s is refused', async (_what, over) => {
    expect(await add('a', over)).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field: 'image_id', rule: 'image_id' }] } });
    expect(await announced()).toEqual([]);
  });
});
