import { describe, expect, test } from '@jest/globals';
import { isAllowed, licenceFaults } from './licences.ts';

describe('the licence check', () => {
  const shipped = { path: 'node_modules/x', name: 'x', version: '1.0.0', integrity: undefined, own: false, dependencies: [] };

  test('names what it does not allow, and what to do', () => {
    expect(licenceFaults([{ ...shipped, license: 'AGPL-3.0-only' }])).toEqual([
      expect.stringMatching(/^x@1\.0\.0 has the licence AGPL-3\.0-only; allowed are .*MIT.*\. Replace it, or decide/),
    ]);
    expect(licenceFaults([{ ...shipped, license: undefined }])).toEqual([expect.stringContaining('x@1.0.0 names no licence')]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND (GPL-3.0-only OR ISC)', true],
    ['GPL-3.0-only OR MIT AND GPL-2.0-only', false],
    ['SEE LICENSE IN license.txt', false],
    ['(MIT', false],
    ['', false],
  ])('reads %p', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });
});
