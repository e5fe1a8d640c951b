import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { T0 } from '../testing/webhook-fixtures.ts';
import type { DeliveryQueue } from './ports.ts';
import { watchBacklog } from './watch-backlog.ts';

/** A queue of pages of endpoints, each with so many deliveries due since so long. */
function queueOf(
  pages: readonly Readonly<Record<string, readonly [count: number, since: number]>>[],
): Pick<DeliveryQueue, 'dueEndpoints' | 'backlogOf'> {
  const all = Object.assign({}, ...pages) as Readonly<Record<string, readonly [number, number]>>;
  return {
    async dueEndpoints({ after }) {
      const place = after === '' ? 0 : Number(after);
      return { endpointIds: Object.keys(pages[place] ?? {}), next: place + 1 < pages.length ? String(place + 1) : null };
    },
    async backlogOf(endpointIds, _now, limit) {
      const found = endpointIds.map((id) => all[id] ?? [0, T0]);
      const count = found.reduce((sum, [one]) => sum + one, 0);
      return { count: Math.min(limit, count), oldestDueAt: Math.min(...found.map(([, since]) => since)) };
    },
  };
}

async function shown(queue: Pick<DeliveryQueue, 'dueEndpoints' | 'backlogOf'>) {
  const telemetry = recordingTelemetry();
  await watchBacklog({ queue, clock: new ManualClock(T0), metrics: telemetry.of('webhook').metrics });
  const value = (name: string) => telemetry.recorded(name)[0]?.[1];
  return [value('parcelway_webhook_due_deliveries'), value('parcelway_webhook_oldest_due_age_seconds')];
}

test('nothing is due', async () => {
  expect(await shown(queueOf([{}]))).toEqual([0, 0]);
});

test('what is due at the endpoints of all pages counts, and the oldest of them all', async () => {
  expect(await shown(queueOf([{ a: [2, T0 - 1000] }, {}, { b: [3, T0 - 9000], c: [1, T0 - 10] }]))).toEqual([6, 9]);
});

test('counting ends where it is many', async () => {
  const endless = queueOf(Array.from({ length: 50 }, (_, index) => ({ [`e${index}`]: [1000, T0 - 1000] as const })));
  expect(await shown(endless)).toEqual([10_000, 1]);
});
