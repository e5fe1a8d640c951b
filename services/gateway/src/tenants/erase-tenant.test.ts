import { expect, test } from '@jest/globals';
import type { DeadLetter } from '@parcelway/bus/bus';
import { topics } from '@parcelway/contracts/topics';
import { ManualClock } from '@parcelway/kernel/clock';
import { beginErasure, type ErasureRecord, SETTLE_MS } from './domain/erasure.ts';
import { type EraseOptions, eraseTenant } from './erase-tenant.ts';
import type { ServiceData } from './ports.ts';

const NOW = 1_000_000;
const TENANT = 'tnt_a';

const deadLetter = (offset: string, key: string): DeadLetter => ({
  record: { topic: 'forecast.events.v1.dlq', partition: 0, offset, key, value: null, headers: { 'dlq-key': key }, timestamp: NOW },
  topic: topics.forecast,
  group: 'forecast',
  reason: '42201',
  failedAt: '',
});

/** A platform of two services whose steps are written down; `late` arrives while the first round runs. */
function world({ late = 0 }: { readonly late?: number } = {}) {
  const clock = new ManualClock(NOW);
  const steps: string[] = [];
  const saved: ErasureRecord[] = [];
  const left: Record<string, number> = { 'webhook/deliveries': 150, 'forecast/forecasts': 120 };
  let arriving = late;
  const service = (name: 'webhook' | 'forecast', kind: string): ServiceData => ({
    service: name,
    remember: async () => void steps.push(`remember ${name}`),
    kinds: async () => [
      ...(name === 'forecast' ? [{ name: 'photos', listed: true, erased: false }] : []),
      { name: kind, listed: true, erased: true },
    ],
    list: async (_kind, _tenantId, after) =>
      (left['forecast/forecasts'] ?? 0) > 0 && after === null
        ? { records: [{ tokens: ['t1', 't2'] }, { tokens: ['t1'] }], next: '1' }
        : { records: [], next: null },
    async erase() {
      const key = `${name}/${kind}`;
      const erased = Math.min(100, left[key] ?? 0);
      left[key] = (left[key] ?? 0) - erased;
      steps.push(`erase ${key} ${erased}`);
      if (name === 'forecast' && erased === 0) {
        left['webhook/deliveries'] = (left['webhook/deliveries'] ?? 0) + arriving;
        arriving = 0;
      }
      return erased;
    },
  });
  const deadLetters = [deadLetter('1', `${TENANT}/FC1`), deadLetter('2', 'tnt_b/FC2'), deadLetter('3', `${TENANT}/FC3`)];
  const options: EraseOptions & { readonly clock: ManualClock } = {
    suspend: async (id) => void steps.push(`suspended ${id}`),
    data: {
      services: [service('webhook', 'deliveries'), service('forecast', 'forecasts')],
      erasePhotos: async (_tenantId, tokens) => {
        steps.push(`photos ${tokens.join(' ')}`);
        return tokens.length;
      },
    },
    bus: {
      async *deadLetterPages(topic) {
        if (topic === topics.forecast) yield deadLetters;
      },
      async deleteDeadLetters(_topic, positions) {
        steps.push(`dead letters ${positions.map(({ offset }) => offset).join(' ')}`);
        return deadLetters.slice(0, positions.length);
      },
    },
    clock,
    settleMs: SETTLE_MS,
    save: async (record) => void saved.push(record),
    async pause(ms) {
      steps.push(`pause ${ms}`);
      clock.advance(ms);
    },
  };
  return { options, steps, saved, left };
}

test('first nothing of the tenant is written any more, then all is deleted, what names the photos last', async () => {
  const { options, steps, saved } = world();
  const record = await eraseTenant(options, beginErasure(TENANT, NOW));
  expect(steps.slice(0, 4)).toEqual([`suspended ${TENANT}`, 'remember webhook', 'remember forecast', `pause ${SETTLE_MS}`]);
  const order = steps.filter((step) => /^(photos|erase)/.test(step));
  expect(order.slice(0, 6)).toEqual([
    'photos t1 t2',
    'erase webhook/deliveries 100',
    'erase webhook/deliveries 50',
    'erase webhook/deliveries 0',
    'erase forecast/forecasts 100',
    'erase forecast/forecasts 20',
  ]);
  expect(record.counts).toEqual({
    'file/photos': 2,
    'webhook/deliveries': 150,
    'forecast/forecasts': 120,
    'gateway/dead_letters': 1,
  });
  expect([record.deadLettersLeft, record.finishedAt]).toEqual([1, options.clock.now()]);
  expect(saved.at(-1)).toEqual(record);
  expect(steps).toContain('dead letters 1');
});

test('looks again until a round finds nothing', async () => {
  const { options, steps } = world({ late: 7 });
  const { counts } = await eraseTenant(options, beginErasure(TENANT, NOW));
  expect(counts['webhook/deliveries']).toBe(157);
  expect(steps.filter((step) => step === 'pause 6000')).toHaveLength(2);
});

test('looks once more when the longest request that was under way has ended, and keeps its lease until then', async () => {
  const { options, steps, left, saved } = world();
  const settleMs = 180_000;
  const pause = async (ms: number): Promise<void> => {
    await options.pause(ms);
    // A request that was admitted before is slow to arrive.
    if (options.clock.now() >= NOW + 150_000 && !steps.includes('late write')) {
      left['forecast/forecasts'] = 1;
      steps.push('late write');
    }
  };
  const { counts, finishedAt } = await eraseTenant({ ...options, pause, settleMs }, beginErasure(TENANT, NOW));
  expect(steps).toContain('late write');
  expect([counts['forecast/forecasts'], left['forecast/forecasts']]).toEqual([121, 0]);
  expect(finishedAt).toBeGreaterThanOrEqual(NOW + settleMs);
  const pauses = steps.flatMap((step) => (step.startsWith('pause ') ? [Number(step.slice(6))] : []));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
  expect(saved.length).toBeGreaterThan(10);
});

test('finds all dead letters of the tenant in all pages, and deletes those that nothing lies before', async () => {
  const { options, steps } = world();
  const bus: EraseOptions['bus'] = {
    ...options.bus,
    async *deadLetterPages(topic) {
      if (topic !== topics.forecast) return;
      yield [deadLetter('1', `${TENANT}/FC1`), deadLetter('2', `${TENANT}/FC1`)];
      yield [deadLetter('3', `${TENANT}/FC1`), deadLetter('4', 'tnt_b/FC1')];
      yield [deadLetter('5', `${TENANT}/FC1`)];
    },
  };
  const record = await eraseTenant({ ...options, bus }, beginErasure(TENANT, NOW));
  expect([record.counts['gateway/dead_letters'], record.deadLettersLeft]).toEqual([3, 1]);
  expect(steps.filter((step) => step.startsWith('dead letters'))).toEqual(['dead letters 1 2', 'dead letters 3']);
});

test('a long way through dead letters of others keeps the lease', async () => {
  const { options, saved } = world();
  const bus: EraseOptions['bus'] = {
    ...options.bus,
    async *deadLetterPages(topic) {
      for (let page = 0; topic === topics.forecast && page < 100; page += 1) {
        options.clock.advance(1000);
        yield [deadLetter(String(page), 'tnt_b/FC1')];
      }
    },
  };
  const savedAt: number[] = [];
  const save = async (record: ErasureRecord): Promise<void> => {
    saved.push(record);
    savedAt.push(options.clock.now());
  };
  await eraseTenant({ ...options, bus, save }, beginErasure(TENANT, NOW));
  const gaps = savedAt.map((at, index) => at - (savedAt[index - 1] ?? NOW));
  expect(savedAt.at(-1)).toBeGreaterThan(NOW + 100_000);
  expect(Math.max(...gaps)).toBeLessThan(60_000);
});

test('ends when data never stops coming', async () => {
  const { options } = world();
  let calls = 0;
  const erase = async (): Promise<number> => {
    calls += 1;
    // One record in each round.
    return calls % 2;
  };
  const endless: ServiceData = { ...(options.data.services[0] as ServiceData), erase };
  const data = { ...options.data, services: [endless] };
  await expect(eraseTenant({ ...options, data }, beginErasure(TENANT, NOW))).rejects.toMatchObject({ code: '50301' });
});
