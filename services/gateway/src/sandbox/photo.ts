import { crc32, deflateSync } from 'node:zlib';
import { drawPicture, PICTURE_HEIGHT, PICTURE_WIDTH } from './domain/picture.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG picture (RFC 2083) of 320 × 240 pixels in 24-bit colour; another one for every `seed`. */
export function makePhoto(seed: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PICTURE_WIDTH, 0);
  header.writeUInt32BE(PICTURE_HEIGHT, 4);
  // Depth 8, colour type 2 (RGB), default compression, filter and no interlace.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(drawPicture(seed))), chunk('IEND', Buffer.alloc(0))]);
}

/** A multipart body with one file in the field `file` (RFC 7578). */
export function multipartFile(
  name: string,
  mediaType: string,
  content: Uint8Array,
  boundary: string,
): { body: Buffer; contentType: string } {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
