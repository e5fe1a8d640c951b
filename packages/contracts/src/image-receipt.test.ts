import { expect, test } from '@jest/globals';
import { decodePhotoId, encodePhotoId } from './file-receipt.ts';
import { decodeImageId, encodeImageId, type ImageReceipt } from './image-receipt.ts';

const SECRET = 'a secret of the file service';
const photo = {
  id: 41,
  image_path: 'photo/41',
  image_url: 'https://files.example/photos/x.jpg',
  file_size: 1234,
  upload_time: '2026-11-21T00:00:00.000+00:00',
  environment: 'sandbox',
} as const;
const receipt: ImageReceipt = { ...photo, tenant_id: 'tnt_1' };
const imageId = encodeImageId(SECRET, receipt);

test('an image id carries its receipt, for this installation alone', () => {
  expect(decodeImageId(SECRET, imageId)).toEqual(receipt);
  expect(decodeImageId('another secret', imageId)).toBeUndefined();
});

test('a changed image id is none', () => {
  const places = Array.from({ length: imageId.length }, (_, index) => index);
  const altered = (index: number) => imageId.slice(0, index) + (imageId[index] === 'A' ? 'B' : 'A') + imageId.slice(index + 1);
  expect(places.filter((index) => decodeImageId(SECRET, altered(index)) !== undefined)).toEqual([]);
});

test('a photo of a warehouse is no image of a merchant, and the other way round', () => {
  const photoId = encodePhotoId(SECRET, { ...photo, warehouse_code: 'LAX1' });
  expect(decodeImageId(SECRET, photoId.replace('ph_', 'im_'))).toBeUndefined();
  expect(decodePhotoId(SECRET, imageId.replace('im_', 'ph_'))).toBeUndefined();
});
