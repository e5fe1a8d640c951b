import { readFileSync } from 'node:fs';

/** Parcels on a scale, 320 × 240 pixels, drawn for this project; below `services/gateway/photos`. */
const NAMES = ['parcel-1.jpg', 'parcel-2.jpg', 'parcel-3.jpg'];
const samples: Buffer[] = [];

/** A JPEG file is markers of two bytes: its start, and a comment (ITU-T T.81, B.2.4.5), whose length of two bytes counts itself. */
const START = Buffer.from([0xff, 0xd8]);
const COMMENT = Buffer.from([0xff, 0xfe]);

function sampleOf(number: number): Buffer {
  const index = number % NAMES.length;
  samples[index] ??= readFileSync(new URL(`../../photos/${NAMES[index]}`, import.meta.url));
  return samples[index];
}

/**
 * A photo as of a warehouse, a JPEG.
 * @param number chooses the picture: consecutive numbers show different ones
 * @param mark goes into the file as a comment, so that its content is that of no other photo; at most 65,533 bytes
 */
export function samplePhoto(number: number, mark: string): Buffer {
  const text = Buffer.from(mark);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([START, COMMENT, length, text, sampleOf(number).subarray(START.length)]);
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
