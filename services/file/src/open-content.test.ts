import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodePhotoId } from '@parcelway/contracts/file-receipt';
import { BASE_URL, FileServiceUnderTest, form, pdf, warehouse } from './testing/file-service.ts';

let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});
afterAll(() => service.close());

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 1)]);
const JPEG = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(100, 2)]);
const WEBP = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(100, 3)]);
const uploadPhoto = (content: Buffer, code = 'WH-1') =>
  service.post('/warehouse/v1/photos', warehouse(code), form([{ name: 'whatever.bin', content }]));

describe('a file URL', () => {
  let url: string;
  beforeAll(async () => {
    url = String((await service.uploadPdf([{ name: 'label 1.pdf', content: pdf(3000) }])).data.url);
  });

  test('opens as a PDF that cannot do anything', async () => {
    const response = await service.open(url);
    expect(response.status).toBe(200);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '3000',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="label 1.pdf"; filename*=UTF-8''label%201.pdf`,
      'accept-ranges': 'bytes',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toMatch(/^private, .*immutable/);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf(3000));
  });

  test('responds to HEAD without a body', async () => {
    const response = await service.open(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), (await response.arrayBuffer()).byteLength]).toEqual([200, '3000', 0]);
  });

  test.each([
    ['bytes=0-9', 206, 'bytes 0-9/3000', 10],
    ['bytes=2990-', 206, 'bytes 2990-2999/3000', 10],
    ['bytes=-5', 206, 'bytes 2995-2999/3000', 5],
    ['bytes=5000-', 200, null, 3000],
    ['bytes=0-1,5-6', 200, null, 3000],
    ['lines=0-1', 200, null, 3000],
  ])('responds with the range %s', async (range, status, contentRange, length) => {
    const response = await service.open(url, { headers: { Range: range } });
    const body = await response.arrayBuffer();
    expect([response.status, response.headers.get('content-range'), body.byteLength]).toEqual([status, contentRange, length]);
  });

  test('must be exact', async () => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    const otherKey = `${name.startsWith('A') ? 'B' : 'A'}${name.slice(1)}`;
    const others = [otherKey, name.replace('.pdf', ''), name.replace('.pdf', '.PDF'), 'x.pdf', '%00.pdf', `..%2f${name}`];
    for (const other of others) {
      const response = await service.open(`/files/${other}`);
      expect([other, response.status, ((await response.json()) as { code: string }).code]).toEqual([other, 404, '40403']);
    }
  });
});

describe('a photo', () => {
  test.each([
    ['image/jpeg', 'jpg', JPEG],
    ['image/png', 'png', PNG],
    ['image/webp', 'webp', WEBP],
  ])('of type %s is known by its content, and opens', async (mediaType, extension, content) => {
    const response = await uploadPhoto(content);
    expect(response).toMatchObject({ status: 200, code: '0', data: { media_type: mediaType, size_byte: content.length } });
    const opened = await service.open(response.data.image_url);
    expect(String(response.data.image_url)).toMatch(new RegExp(`^${BASE_URL}/photos/[A-Za-z0-9_-]{22}\\.${extension}$`));
    expect([opened.headers.get('content-type'), opened.headers.get('x-content-type-options')]).toEqual([mediaType, 'nosniff']);
    expect(opened.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(content);
    const wrong = await service.open(String(response.data.image_url).replace(/\.\w+$/, extension === 'png' ? '.jpg' : '.png'));
    expect(wrong.status).toBe(404);
    await wrong.body?.cancel();
  });

  test('has a photo_id that carries its record', async () => {
    const response = await uploadPhoto(PNG, 'WH-2');
    expect(decodePhotoId(service.fileSecret, String(response.data.photo_id))).toEqual({
      id: expect.any(Number),
      image_path: expect.stringMatching(/^photo\/[0-9a-f]{32}$/),
      image_url: response.data.image_url,
      file_size: PNG.length,
      upload_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
      warehouse_code: 'WH-2',
      environment: 'sandbox',
    });
  });
});

test('no request without a principal gets a content', async () => {
  const response = await fetch(`${service.origin}/files/x.pdf`);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, '40101']);
});
