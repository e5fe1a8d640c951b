import { describe, expect, test } from '@jest/globals';
import { dueDays } from './due-days.ts';

describe('dueDays', () => {
  test('are all days from one to the other', () => {
    expect(dueDays(undefined, undefined)).toBeUndefined();
    expect(dueDays('2026-12-01', '2026-12-01')).toEqual(['2026-12-01']);
    expect(dueDays('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(dueDays('2026-01-01', '2026-01-31')).toHaveLength(31);
  });

  test.each([
    ['2026-12-01', undefined, 'due_to', 'required'],
    [undefined, '2026-12-01', 'due_from', 'required'],
    ['2026-12-02', '2026-12-01', 'due_to', 'range'],
    ['2026-01-01', '2026-02-01', 'due_to', 'range'],
    ['2000-01-01', '2100-12-31', 'due_to', 'range'],
  ])('from %p to %p are refused', (from, to, field, rule) => {
    expect(dueDays(from, to)).toMatchObject({ field, rule, message: expect.stringContaining(field) });
  });
});
