import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { T0 } from '../testing/webhook-fixtures.ts';
import { watchBacklog } from './watch-backlog.ts';

/** Pages of endpoints: how many deliveries of each are due, and the age of the oldest. */
type Pages = readonly (readonly (readonly [count: number, ageMs: number])[])[];

test.each<[string, Pages, number[]]>([
  ['nothing is due', [[]], [0, 0]],
  [
    'deliveries of all pages count, and the oldest of them all',
    [
      [[2, 1000]],
      [],
      [
        [3, 9000],
        [1, 10],
      ],
    ],
    [6, 9],
  ],
  ['counting stops at ten thousand', Array.from({ length: 50 }, () => [[1000, 1000]] as const), [10_000, 1]],
])('%s', async (_what, pages, shown) => {
  const queue = {
    async dueEndpoints({ after }: { readonly after: string }) {
      const page = Number(after);
      return {
        endpointIds: (pages[page] ?? []).map((_, index) => `${page} ${index}`),
        next: page + 1 < pages.length ? String(page + 1) : null,
        nextDueAt: 0,
      };
    },
    async backlogOf(ids: readonly string[], _now: number, limit: number) {
      const found = ids.map((id) => id.split(' ').map(Number)).map(([page = 0, index = 0]) => pages[page]?.[index] ?? [0, 0]);
      const count = found.reduce((sum, [one]) => sum + one, 0);
      return { count: Math.min(limit, count), oldestDueAt: T0 - Math.max(...found.map(([, ageMs]) => ageMs)) };
    },
  };
  const telemetry = recordingTelemetry();
  await watchBacklog({ queue, clock: new ManualClock(T0), metrics: telemetry.of('webhook').metrics });
  const names = ['parcelway_webhook_due_deliveries', 'parcelway_webhook_oldest_due_age_seconds'];
  expect(names.map((name) => telemetry.recorded(name)[0]?.[1])).toEqual(shown);
});
