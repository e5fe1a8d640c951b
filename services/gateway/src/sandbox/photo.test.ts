import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { multipartFile, samplePhoto } from './photo.ts';

/** The dots of a photo, as palette indices. */
function dotsOf(photo: Buffer): Buffer {
  const start = photo.indexOf('IDAT');
  return inflateSync(photo.subarray(start + 4, start + 4 + photo.readUInt32BE(start - 4)));
}

describe('a sample photo', () => {
  test('is a PNG of a few kilobytes, 320 × 240 dots', () => {
    const photo = samplePhoto({ number: 1, weightKg: 1.84, mark: 'FC1' });
    expect(photo.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([photo.readUInt32BE(16), photo.readUInt32BE(20)]).toEqual([320, 240]);
    expect(dotsOf(photo)).toHaveLength(321 * 240);
    expect(photo.length).toBeLessThan(10_000);
  });

  test('is the same for the same mark, and another file for another', () => {
    expect(samplePhoto({ number: 1, mark: 'FC1 weigh' })).toEqual(samplePhoto({ number: 1, mark: 'FC1 weigh' }));
    expect(samplePhoto({ number: 1, mark: 'FC1 weigh' })).not.toEqual(samplePhoto({ number: 1, mark: 'FC2 weigh' }));
  });

  test('shows another carton than the one before, and the weight that is reported', () => {
    const shown = (number: number, weightKg?: number): string => dotsOf(samplePhoto({ number, mark: '', weightKg })).toString('hex');
    expect(new Set([shown(1), shown(2), shown(3), shown(1, 1.84), shown(1, 2.84)]).size).toBe(5);
    expect(shown(4, 1.84)).toBe(shown(1, 1.84));
  });
});

test('a multipart body has one file', () => {
  expect(multipartFile('a.png', 'image/png', Buffer.from('content'), 'xyz')).toEqual({
    body: Buffer.from(
      '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\ncontent\r\n--xyz--\r\n',
    ),
    contentType: 'multipart/form-data; boundary=xyz',
  });
});
