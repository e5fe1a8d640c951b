import { describe, expect, test } from '@jest/globals';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import fc from 'fast-check';
import { dueDays, FIRST_ROUND, roundInText, textOfRound, type ViewFilters, type ViewRound } from './view-round.ts';

describe('a round', () => {
  test('reads as it was written', () => {
    const stamp = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const page = fc.record({ next: stamp, behind: fc.record({ stamp, forecastNo: fc.stringMatching(/^[0-9A-Z.-]{1,64}$/) }) });
    const day = fc.constantFrom('2026-12-01', '2026-12-02', '2026-12-03');
    const filters = fc.record(
      {
        statuses: fc.uniqueArray(fc.constantFrom<ForecastStatus>(1, 2, 7)),
        tenantId: fc.string(),
        dueDays: fc.array(day, { minLength: 1 }),
        updatedFrom: fc.nat(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.record({ above: fc.option(stamp), page: fc.option(page) }), filters, (round: ViewRound, asked: ViewFilters) => {
        expect(roundInText(textOfRound(round, asked), asked)).toEqual(round);
      }),
    );
  });

  const filters: ViewFilters = { statuses: [1, 2], tenantId: 'tnt_a', dueDays: ['2026-12-01', '2026-12-02'], updatedFrom: 5 };

  test('is good for filters that mean the same', () => {
    expect(roundInText(textOfRound(FIRST_ROUND, filters), { ...filters, statuses: [2, 1] })).toEqual(FIRST_ROUND);
  });

  test.each<ViewFilters>([
    {},
    { ...filters, statuses: [1] },
    { ...filters, tenantId: 'tnt_b' },
    { ...filters, dueDays: ['2026-12-01'] },
    { ...filters, dueDays: undefined },
    { ...filters, updatedFrom: 6 },
  ])('is not good for %j', (others) => {
    expect(roundInText(textOfRound(FIRST_ROUND, filters), others)).toBe('other-filters');
  });

  test('has a text that cursors can hold', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const longest = { above: largest, page: { next: largest, behind: { stamp: largest, forecastNo: 'F'.repeat(64) } } };
    expect(textOfRound(longest, filters).length).toBeLessThanOrEqual(250);
  });

  test.each(['', 'v', '1', 'v-1', 'v1.2', 'v1.2.3', 'v1.2.3.', 'v1.2.3.FC 1', ' v1', 'v1x', 'v99999999999999999'])(
    'is not in %p',
    (text) => {
      expect(roundInText(text, {})).toBeUndefined();
      expect(roundInText(`${'0'.repeat(16)}~${text}`, {})).toBeUndefined();
    },
  );
});

describe('dueDays', () => {
  test('are all days from one to the other', () => {
    expect(dueDays(undefined, undefined)).toBeUndefined();
    expect(dueDays('2026-12-01', '2026-12-01')).toEqual(['2026-12-01']);
    expect(dueDays('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(dueDays('2026-01-01', '2026-01-31')).toHaveLength(31);
  });

  test.each([
    ['2026-12-01', undefined, 'due_to', 'required', 'with due_from'],
    [undefined, '2026-12-01', 'due_from', 'required', 'with due_to'],
    ['2026-12-02', '2026-12-01', 'due_to', 'range', 'before due_from'],
    ['2026-01-01', '2026-02-01', 'due_to', 'range', '31 days'],
    ['2000-01-01', '2100-12-31', 'due_to', 'range', '31 days'],
  ])('from %p to %p are refused', (from, to, field, rule, reason) => {
    expect(dueDays(from, to)).toMatchObject({ field, rule, message: expect.stringContaining(reason) });
  });
});
