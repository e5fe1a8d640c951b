import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { samplePhoto } from './photo.ts';

/** The dots of a photo, as palette indices. */
function dotsOf(photo: Buffer): Buffer {
  const start = photo.indexOf('IDAT');
  return inflateSync(photo.subarray(start + 4, start + 4 + photo.readUInt32BE(start - 4)));
}

describe('a sample photo', () => {
  test('is a PNG of a few kilobytes, 320 × 240 dots', () => {
    const photo = samplePhoto({ number: 1, mark: 'FC1' });
    expect(photo.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([photo.readUInt32BE(16), photo.readUInt32BE(20)]).toEqual([320, 240]);
    expect(dotsOf(photo)).toHaveLength(321 * 240);
    expect(photo.length).toBeLessThan(10_000);
  });
});
