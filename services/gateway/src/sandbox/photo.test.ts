import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { drawPicture } from './domain/picture.ts';
import { makePhoto, multipartFile } from './photo.ts';

test('a photo is a PNG of 320 × 240 pixels in 24-bit colour', () => {
  const photo = makePhoto('FC1');
  expect(photo.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  // Length, type, width, height, then depth 8, colour type 2 and three zeros.
  expect(photo.subarray(8, 29).toString('hex')).toBe('0000000d49484452000001400000' + '00f00802000000');
  expect(photo.toString('latin1', 37, 41)).toBe('IDAT');
  const length = photo.readUInt32BE(33);
  expect(new Uint8Array(inflateSync(photo.subarray(41, 41 + length)))).toEqual(drawPicture('FC1'));
  // The end has a length of 0 and a check sum that never changes.
  expect(photo.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
});

test('a multipart body has one file', () => {
  expect(multipartFile('a.png', 'image/png', Buffer.from('content'), 'xyz')).toEqual({
    body: Buffer.from(
      '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\ncontent\r\n--xyz--\r\n',
    ),
    contentType: 'multipart/form-data; boundary=xyz',
  });
});
