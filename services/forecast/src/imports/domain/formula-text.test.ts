import { expect, test } from '@jest/globals';
import { protectedText, unprotectedText } from './formula-text.ts';

test.each(['=1+1', '+49 123', '-5', '@A1', '\tx', '\rx', '＝1', '＋1', '－1', '＠1'])('%j is protected, and read as it was', (text) => {
  expect(protectedText(text)).toBe(`'${text}`);
  expect(unprotectedText(`'${text}`)).toBe(text);
});

test.each(['', 'P1', "'s-Gravenhage", "'", 'a=b', '台灯'])('%j stays as it is', (text) => {
  expect([protectedText(text), unprotectedText(text)]).toEqual([text, text]);
});
