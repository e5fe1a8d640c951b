import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { drawPicture, PICTURE_HEIGHT, PICTURE_WIDTH } from './picture.ts';

const ROW = 1 + PICTURE_WIDTH * 3;
const BORDER = 4;
const TILE = 40;

/** Red, green and blue of a pixel. */
const pixel = (rows: Uint8Array, x: number, y: number): number[] => [...rows.subarray(y * ROW + 1 + x * 3, y * ROW + 4 + x * 3)];

describe('a generated picture', () => {
  const seed = 'FC1 weigh 1';
  const rows = drawPicture(seed);

  test('has the size that it says, each row behind a filter byte of 0', () => {
    expect(rows).toHaveLength(PICTURE_HEIGHT * ROW);
    for (let y = 0; y < PICTURE_HEIGHT; y += 1) expect(rows[y * ROW]).toBe(0);
  });

  test('has a plain border of four pixels on every side, and no more', () => {
    const grey = [40, 40, 40];
    for (let y = 0; y < PICTURE_HEIGHT; y += 1) {
      for (const x of [0, BORDER - 1, PICTURE_WIDTH - BORDER, PICTURE_WIDTH - 1]) expect(pixel(rows, x, y)).toEqual(grey);
    }
    for (let x = 0; x < PICTURE_WIDTH; x += 1) {
      for (const y of [0, BORDER - 1, PICTURE_HEIGHT - BORDER, PICTURE_HEIGHT - 1]) expect(pixel(rows, x, y)).toEqual(grey);
    }
    const inner: [number, number][] = [
      [BORDER, 100],
      [PICTURE_WIDTH - BORDER - 1, 100],
      [100, BORDER],
      [100, PICTURE_HEIGHT - BORDER - 1],
    ];
    for (const [x, y] of inner) expect(pixel(rows, x, y)).not.toEqual(grey);
  });

  test('has tiles whose light and tint come from the digest of the seed', () => {
    const digest = createHash('sha512').update(seed).digest();
    for (let row = 0; row < PICTURE_HEIGHT / TILE; row += 1) {
      for (let column = 0; column < PICTURE_WIDTH / TILE; column += 1) {
        const number = row * (PICTURE_WIDTH / TILE) + column;
        const light = 96 + ((digest[number % digest.length] as number) & 127);
        const expected = [0, 1, 2].map((at) => (light * (128 + ((digest[at] as number) >> 1))) >> 8);
        // Both edges of the tile, within the border of the picture.
        const from = [Math.max(BORDER, column * TILE), Math.max(BORDER, row * TILE)] as const;
        const last = (tiles: number, size: number): number => Math.min(size - BORDER, (tiles + 1) * TILE) - 1;
        expect(pixel(rows, ...from)).toEqual(expected);
        expect(pixel(rows, last(column, PICTURE_WIDTH), last(row, PICTURE_HEIGHT))).toEqual(expected);
      }
    }
  });

  test('is the same for one seed, another for another', () => {
    expect(drawPicture(seed)).toEqual(rows);
    expect(drawPicture('FC1 weigh 2')).not.toEqual(rows);
  });
});
