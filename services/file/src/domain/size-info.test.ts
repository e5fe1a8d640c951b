import { expect, test } from '@jest/globals';
import { sizeInfo } from './size-info.ts';

test.each([
  [0, '0.00 B'],
  [1023, '1023.00 B'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
  [1_048_570, '1023.99 KB'],
  [1_048_575, '1.00 MB'],
  [1_572_864, '1.50 MB'],
  [10_485_760, '10.00 MB'],
])('%d bytes are %s', (bytes, text) => expect(sizeInfo(bytes)).toBe(text));
