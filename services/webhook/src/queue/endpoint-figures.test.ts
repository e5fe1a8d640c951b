import { describe, expect, test } from '@jest/globals';
import { leasedOf, resultOf } from '../testing/webhook-fixtures.ts';
import { amountsOf, countAttempt, type EndedAttempt, figuresOf } from './endpoint-figures.ts';

const range = { from: '2026-01-31', to: '2026-02-01' };

function counted(day: string, attempts: readonly (EndedAttempt & { readonly endpointId?: string })[]) {
  const amounts: Record<string, number> = {};
  for (const { endpointId = 'ep_a', ...attempt } of attempts)
    for (const name of amountsOf(endpointId, attempt)) amounts[name] = (amounts[name] ?? 0) + 1;
  return { day, amounts };
}
const many = (count: number, durationMs: number, outcome: EndedAttempt['outcome'] = 'succeeded'): EndedAttempt[] =>
  Array.from({ length: count }, () => ({ outcome, durationMs }));

describe('the figures of an endpoint', () => {
  test.each([0, 1, 2, 7, 40, 333, 5000, 15_000, 60_000])(
    'show a duration of %s ms at most 19 % too high, and never too low',
    (durationMs) => {
      const { total } = figuresOf('ep_a', range, [counted('2026-01-31', many(20, durationMs))]);
      const shown = Number(total.duration_ms_median);
      expect(shown).toBeGreaterThanOrEqual(durationMs);
      expect(shown).toBeLessThanOrEqual(Math.max(1, Math.ceil(durationMs * 1.19)));
      expect(total.duration_ms_p95).toBe(shown);
    },
  );

  test('are those of each day, and of all', () => {
    const { days, total } = figuresOf('ep_a', range, [
      counted('2026-01-31', many(1, 15_000, 'failed')),
      counted('2026-02-01', many(9, 20)),
    ]);
    expect(days).toMatchObject([
      { date: '2026-01-31', attempts: 1, succeeded: 0, failed: 1 },
      { date: '2026-02-01', attempts: 9, succeeded: 9, failed: 0 },
    ]);
    expect(total).toMatchObject({ attempts: 10, succeeded: 9, failed: 1 });
  });

  test('name the duration that 50 and 95 of 100 attempts stay below', () => {
    const { total } = figuresOf('ep_a', range, [counted('2026-01-31', [...many(50, 16), ...many(45, 64), ...many(5, 1024)])]);
    expect(total).toMatchObject({ duration_ms_median: 16, duration_ms_p95: 64 });
    const { total: slower } = figuresOf('ep_a', range, [counted('2026-01-31', [...many(49, 16), ...many(45, 64), ...many(6, 1024)])]);
    expect(slower).toMatchObject({ duration_ms_median: 64, duration_ms_p95: 1024 });
  });
});

test.each([
  [false, [expect.stringMatching(/:succeeded$/), expect.stringMatching(/:ms\d+$/)]],
  [true, []],
])('an attempt is counted unless it is a test (%s)', (isTest, counted) => {
  const names: string[] = [];
  const leased = leasedOf({ test: isTest, tenantId: 'tnt_a' });
  countAttempt({ add: (tenantId, name) => void (tenantId === 'tnt_a' && names.push(name)) }, resultOf(leased, 'succeeded'));
  expect(names).toEqual(counted);
});
