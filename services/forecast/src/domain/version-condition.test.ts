import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertVersion, entityTag, versionCondition } from './version-condition.ts';

const outcome = (header: string | undefined, version: number): string => {
  const read = versionCondition(header);
  if ('error' in read) return read.error.rule;
  try {
    assertVersion(read.condition, version);
    return 'met';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

describe('If-Match', () => {
  test.each([
    [undefined, 'met'],
    ['*', 'met'],
    [' * ', 'met'],
    ['"3"', 'met'],
    ['"2", "3"', 'met'],
    ['"2","3" ,', 'met'],
    [',, "3"', 'met'],
    ['"2"', '41201'],
    ['"33"', '41201'],
    ['"2", "4"', '41201'],
    ['"a,b"', '41201'],
    ['""', '41201'],
    // A weak tag never matches here (RFC 9110, section 13.1.1).
    ['W/"3"', '41201'],
    ['W/"2", "3"', 'met'],
    ['', 'entity_tag'],
    [' ', 'entity_tag'],
    [',', 'entity_tag'],
    ['3', 'entity_tag'],
    ['"3', 'entity_tag'],
    ['"3" "4"', 'entity_tag'],
    ['*, "3"', 'entity_tag'],
    ["'3'", 'entity_tag'],
    ['w/"3"', 'entity_tag'],
  ])('%p of version 3 is %s', (header, expected) => {
    expect(outcome(header, 3)).toBe(expected);
  });

  test('that does not name the version reports it', () => {
    const read = versionCondition('"1"');
    expect(() => assertVersion('condition' in read ? read.condition : null, 7)).toThrow(
      expect.objectContaining({ code: '41201', data: { version: 7 } }),
    );
  });

  test('meets exactly the versions that it lists', () => {
    const versions = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(versions, fc.integer({ min: 1, max: 20 }), (listed, version) => {
        expect(outcome(listed.map(entityTag).join(', '), version)).toBe(listed.includes(version) ? 'met' : '41201');
      }),
    );
  });

  test('of any text is read within a moment', () => {
    // A pattern that backtracks would not end.
    expect(outcome(`"3"${' ,'.repeat(8000)}x`, 3)).toBe('entity_tag');
    expect(outcome('"1" '.repeat(4000), 3)).toBe('entity_tag');
  });
});
