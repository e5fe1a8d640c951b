import { describe, expect, test } from '@jest/globals';
import { multipartFile, samplePhoto } from './photo.ts';

describe('a sample photo', () => {
  test.each([1, 2, 3, 4])('number %s is a JPEG of a few kilobytes, 320 × 240 pixels', (number) => {
    const photo = samplePhoto(number, 'FC1');
    expect(photo.subarray(0, 4).toString('hex')).toBe('ffd8fffe');
    expect(photo.subarray(-2).toString('hex')).toBe('ffd9');
    expect(photo.length).toBeLessThan(10_000);
    // Frame header: marker, length of 17, 8 bits, height, width.
    expect(photo.indexOf(Buffer.from('ffc00011080' + '0f00140', 'hex'))).toBeGreaterThan(0);
  });

  test('is the same for the same mark, and another for another', () => {
    expect(samplePhoto(1, 'FC1 weigh')).toEqual(samplePhoto(1, 'FC1 weigh'));
    expect(samplePhoto(1, 'FC1 weigh')).not.toEqual(samplePhoto(1, 'FC2 weigh'));
  });

  test('shows another parcel than the one before', () => {
    const [first, second, third] = [1, 2, 3].map((number) => samplePhoto(number, ''));
    expect(first).not.toEqual(second);
    expect(second).not.toEqual(third);
    expect(third).not.toEqual(first);
  });

  test('has its mark as a comment of its length', () => {
    expect(samplePhoto(1, 'mark').subarray(2, 10)).toEqual(Buffer.from('\u00ff\u00fe\u0000\u0006mark', 'latin1'));
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
