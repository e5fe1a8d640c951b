import { createHash } from 'node:crypto';

/** Width and height of a generated picture in pixels. */
export const PICTURE_WIDTH = 320;
export const PICTURE_HEIGHT = 240;

const TILE = 40;

/**
 * Pixels of a picture that can be told from every other: coloured tiles in a pattern that follows from `seed`, with a
 * plain border. Each row begins with a filter byte of 0, as PNG wants it (RFC 2083, section 6).
 */
export function drawPicture(seed: string): Uint8Array {
  const digest = createHash('sha512').update(seed).digest();
  const at = (index: number): number => digest[index % digest.length] as number;
  const rows = new Uint8Array(PICTURE_HEIGHT * (1 + PICTURE_WIDTH * 3));
  let offset = 0;
  for (let y = 0; y < PICTURE_HEIGHT; y += 1) {
    rows[offset++] = 0;
    for (let x = 0; x < PICTURE_WIDTH; x += 1) {
      const tile = Math.floor(y / TILE) * (PICTURE_WIDTH / TILE) + Math.floor(x / TILE);
      const border = x < 4 || y < 4 || x >= PICTURE_WIDTH - 4 || y >= PICTURE_HEIGHT - 4;
      const light = border ? 40 : 96 + (at(tile) & 127);
      rows[offset++] = border ? light : (light * (128 + (at(0) >> 1))) >> 8;
      rows[offset++] = border ? light : (light * (128 + (at(1) >> 1))) >> 8;
      rows[offset++] = border ? light : (light * (128 + (at(2) >> 1))) >> 8;
    }
  }
  return rows;
}
