import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { documentUrl, type NamedDocument, readDocumentName } from './document-url.ts';
import { expiryInName, expiryInUrl, openToken, sealToken } from './expiring-token.ts';
import {
  decodeImageId,
  decodePhotoId,
  encodeImageId,
  encodePhotoId,
  fileUrl,
  type ImageReceipt,
  type PhotoReceipt,
  readFileUrl,
} from './file-receipt.ts';
import { photoTokensIn } from './photo-tokens.ts';

const SECRET = 'a secret of the file service';

const token = (last: string) => `${'a'.repeat(21)}${last}`;

const url = (last: string, extension = 'jpg') => `https://x.example/photos/${token(last)}.${extension}`;

test('finds photos of forecasts and of reports at any depth, each once', () => {
  const progress = {
    weighingPhotos: [{ id: 1, path: 'photo/1', url: url('1') }],
    exceptions: [{ photos: [{ id: 2, path: 'photo/2', url: url('2', 'png') }] }],
    attachedPhotos: [{ id: 1, path: 'photo/1', url: url('1') }],
  };
  const event = { detail: { photo: { id: 3, image_path: 'photo/3', image_url: url('3', 'webp') } } };
  expect(photoTokensIn({ progress, event })).toEqual([token('1'), token('2'), token('3')]);
});

test('takes no text for a photo', () => {
  expect(
    photoTokensIn({
      text: url('1'),
      photos: [
        { path: 'photo/1', url: url('1') },
        { id: 1, url: url('1') },
      ],
    }),
  ).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: `${url('1')}/other` })).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: 5 })).toEqual([]);
  expect(photoTokensIn(null)).toEqual([]);
});

const photo = {
  id: 41,
  image_path: 'photo/41',
  image_url: 'https://files.example/photos/x.jpg',
  file_size: 1234,
  upload_time: '2026-11-21T00:00:00.000+00:00',
  environment: 'sandbox',
} as const;
const photoReceipt: PhotoReceipt = { ...photo, warehouse_code: 'LAX1' };
const imageReceipt: ImageReceipt = { ...photo, tenant_id: 'tnt_1' };
const photoId = encodePhotoId(SECRET, photoReceipt);
const imageId = encodeImageId(SECRET, imageReceipt);

describe.each([
  ['a photo', photoId, photoReceipt, decodePhotoId],
  ['an image', imageId, imageReceipt, decodeImageId],
] as const)('the id of %s', (_what, id, receipt, decode) => {
  test('carries its receipt, for this installation alone', () => {
    expect([decode(SECRET, id), decode('another secret', id)]).toEqual([receipt, undefined]);
  });

  test('is refused after a change of any character', () => {
    const places = Array.from({ length: id.length }, (_, index) => index);
    const altered = (index: number) => id.slice(0, index) + (id[index] === 'A' ? 'B' : 'A') + id.slice(index + 1);
    expect(places.filter((index) => decode(SECRET, altered(index)) !== undefined)).toEqual([]);
  });
});

test.each(['', 'ph_', 'ph_.', '41', 'ph_e30', `x${'ph_e30.'}`, 'ph_e30.AAAAAAAAAAAAAAAAAAAAAA', 'ph_!!.AAAAAAAAAAAAAAAAAAAAAA'])(
  'the id of a photo is not %p',
  (text) => expect(decodePhotoId(SECRET, text)).toBeUndefined(),
);

test('the id of a photo is not a file URL’s signature in disguise', () => {
  const body = Buffer.from(JSON.stringify(photoReceipt)).toString('base64url');
  const signature = fileUrl(SECRET, 'https://a.test', { tenantId: body, environment: 'sandbox' }, newToken(16)).slice(-26, -4);
  expect(decodePhotoId(SECRET, `ph_${body}.${signature}`)).toBeUndefined();
});

test('a photo of a warehouse is no image of a merchant, and the other way round', () => {
  expect(decodeImageId(SECRET, photoId.replace('ph_', 'im_'))).toBeUndefined();
  expect(decodePhotoId(SECRET, imageId.replace('im_', 'ph_'))).toBeUndefined();
});

describe('the URL of a document', () => {
  const label: NamedDocument = { kind: 'label', tenantId: 'tnt_1', forecastNo: 'FC261121K7Q0Z4M2XT', version: 12 };

  const urlOf = (named: NamedDocument, secret = SECRET): string => documentUrl(secret, 'https://a.test', 'sandbox', named);

  const nameIn = (url: string): string => url.slice('https://a.test/files/'.length);

  const read = (url: string, secret = SECRET, environment: 'sandbox' | 'production' = 'sandbox') =>
    readDocumentName(secret, environment, nameIn(url));

  test('is always the same, and names the document', () => {
    expect(urlOf(label)).toMatch(/^https:\/\/a\.test\/files\/label\.tnt_1\.FC261121K7Q0Z4M2XT\.v12-[A-Za-z0-9_-]{22}\.pdf$/);
    expect(urlOf(label)).toBe(urlOf({ ...label }));
    expect(read(urlOf(label))).toEqual(label);
    expect(read(urlOf({ ...label, kind: 'slip' }))).toEqual({ ...label, kind: 'slip' });
  });

  test('opens nothing with another secret, environment, name or signature', () => {
    const url = urlOf(label);
    expect(read(url, 'another')).toBeUndefined();
    expect(read(url, SECRET, 'production')).toBeUndefined();
    for (const [from, to] of [
      ['label', 'slip'],
      ['tnt_1', 'tnt_2'],
      ['4M2XT', '4M2XS'],
      ['v12', 'v13'],
      ['v12', 'v012'],
      ['.pdf', '.png'],
    ] as const)
      expect([to, read(url.replace(from, to))]).toEqual([to, undefined]);
    expect(read(`${url.slice(0, -26)}${'A'.repeat(22)}.pdf`)).toBeUndefined();
  });

  test('is no URL of an uploaded file', () => {
    expect(readFileUrl(SECRET, { tenantId: 'tnt_1', environment: 'sandbox' }, urlOf(label))).toBeUndefined();
  });
});

test('a token comes back with its expiry, and with no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_102_444_800 }), fc.integer({ min: 1, max: 4_102_444_800 }), (one, other) => {
      const token = newToken(16);
      const [expiry, another] = [expiryInUrl(one * 1000), expiryInUrl(other * 1000)];
      const sealed = sealToken('secret', token, expiry);
      expect(sealed).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(openToken('secret', sealed, expiry)).toBe(token);
      expect(openToken('secret', sealed, another) === token).toBe(one === other);
      expect(expiryInName(expiry)).toBe(one * 1000);
    }),
  );
});
