import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeImageId } from '@parcelway/contracts/image-receipt';
import { FileServiceUnderTest, form, system, tenant } from './testing/file-service.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(64)]);

let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});
afterAll(() => service.close());

const upload = (name: string, content: Buffer, tenantId = 'tnt_1') =>
  service.post('/open/v1/files/image', tenant(tenantId), form([{ name, content }]));

test('an image is stored, opens by its URL, and has a receipt for its tenant', async () => {
  const { status, data } = await upload('mug.png', PNG);
  expect([status, data]).toEqual([
    200,
    {
      image_id: expect.any(String),
      image_url: expect.stringMatching(/\/photos\/[\w-]{22}\.png$/),
      media_type: 'image/png',
      size_byte: PNG.length,
    },
  ]);
  expect(decodeImageId(service.fileSecret, String(data['image_id']))).toMatchObject({
    tenant_id: 'tnt_1',
    environment: 'sandbox',
    image_url: data['image_url'],
    file_size: PNG.length,
  });
  const opened = await service.open(data['image_url']);
  expect(Buffer.from(await opened.arrayBuffer()).equals(PNG)).toBe(true);
  expect((await upload('mug.png', PNG)).data['image_url']).not.toBe(data['image_url']);
});

test('what is no image by its content is refused', async () => {
  expect(await upload('mug.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({ status: 422, code: '42205' });
});

test('an image of an erased tenant is refused', async () => {
  await service.post('/internal/v1/erased-tenants', system, Buffer.from('{"tenant_id":"tnt_gone"}'), 'application/json');
  expect((await upload('mug.png', PNG, 'tnt_gone')).code).toBe('40302');
});
