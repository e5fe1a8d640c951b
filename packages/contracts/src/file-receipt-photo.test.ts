import { describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import { decodePhotoId, encodePhotoId, fileUrl, type PhotoReceipt } from './file-receipt.ts';

const SECRET = 'a secret of the file service';
const BASE = 'https://files.example:8443';
const token = newToken(16);

/** The text with one character replaced by another of the alphabet. */
function altered(text: string, index: number): string {
  const other = text[index] === 'A' ? 'B' : 'A';
  return text.slice(0, index) + other + text.slice(index + 1);
}

describe('a photo id', () => {
  const receipt: PhotoReceipt = {
    id: 41,
    image_path: 'photos/LAX1/41.jpg',
    image_url: `${BASE}/photos/x.jpg`,
    file_size: 1234,
    upload_time: '2026-11-21T00:00:00+00:00',
    warehouse_code: 'LAX1',
    environment: 'sandbox',
  };
  const photoId = encodePhotoId(SECRET, receipt);

  test('carries its receipt', () => {
    expect(decodePhotoId(SECRET, photoId)).toEqual(receipt);
  });

  test('is good for nothing elsewhere', () => {
    expect(decodePhotoId('another secret', photoId)).toBeUndefined();
  });

  test('is refused after a change of any character', () => {
    const places = Array.from({ length: photoId.length }, (_, index) => index);
    expect(places.filter((index) => decodePhotoId(SECRET, altered(photoId, index)) !== undefined)).toEqual([]);
  });

  test.each(['', 'ph_', 'ph_.', '41', 'ph_e30', `x${'ph_e30.'}`, 'ph_e30.AAAAAAAAAAAAAAAAAAAAAA', 'ph_!!.AAAAAAAAAAAAAAAAAAAAAA'])(
    'is not %p',
    (text) => expect(decodePhotoId(SECRET, text)).toBeUndefined(),
  );

  test('is not a file URL’s signature in disguise', () => {
    const body = Buffer.from(JSON.stringify(receipt)).toString('base64url');
    const signature = fileUrl(SECRET, BASE, { tenantId: body, environment: 'sandbox' }, token).slice(-26, -4);
    expect(decodePhotoId(SECRET, `ph_${body}.${signature}`)).toBeUndefined();
  });
});
