import { expect, test } from '@jest/globals';
import { protectedText, unprotectedText } from './formula-text.ts';

test.each(['=1+1', '+49 123', '-5', '@A1', '\tx', '\rx', '＝1', '＋1', '－1', '＠1'])('%j is protected, and read as it was', (text) => {
  expect(protectedText(text)).toBe(`'${text}`);
  expect(unprotectedText(`'${text}`)).toBe(text);
});

test.each([
  ['lamp;=HYPERLINK("http://x";"y");z', `lamp;'=HYPERLINK("http://x";"y");z`],
  ['a\t=1', "a\t'=1"],
  ['a,+1,-2', "a,'+1,'-2"],
  ['a\n=1\r\n@2\r＝3', "a\n'=1\r\n'@2\r'＝3"],
  ['a;"=1"', `a;'"=1"`],
  ["'=1", "''=1"],
  ["a;'=1", "a;''=1"],
  [";=1;'-1", ";'=1;''-1"],
  ['\t=1', "'\t'=1"],
])('%j is protected as %j, and read as it was', (text, written) => {
  expect(protectedText(text)).toBe(written);
  expect(unprotectedText(written)).toBe(text);
});

test.each(['', 'P1', 'a; -b', 'size 5, 6; 7', 'a-b;c=d,e@f', 'line\nline', `a;"'=1"`, "'s-Gravenhage", "'", 'a=b', '台灯'])(
  '%j stays as it is',
  (text) => {
    expect([protectedText(text), unprotectedText(text)]).toEqual([text, text]);
  },
);
