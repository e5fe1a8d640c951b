import { describe, expect, test } from '@jest/globals';
import { assumptions } from './assumptions.ts';
import { PEAK_SHARE, PEAK_SHARE_ONE_FEWER } from './headroom.ts';
import { inputSources, measuredCosts, processes, type ScaleInputs, type Vector } from './inputs.ts';
import { breaksOf, limitsOf, timesThe } from './limits.ts';
import { coresOf, costOfSize, streamsOf } from './load.ts';
import { scaleModel } from './model.ts';
import { expensesOf, totalOf } from './money.ts';
import { priceList } from './prices.ts';
import { countFor, keptDaysOf, storedBy } from './servers-needed.ts';
import { sizesOfGrowth, sizesOfSum } from './stored-sizes.ts';
import { topicLoads } from './traffic.ts';

const vector = (value: number): Vector => Object.fromEntries(processes.map((process) => [process, value])) as Vector;
const inputs: ScaleInputs = {
  costs: Object.fromEntries(measuredCosts.map((cost) => [cost, vector(cost === 'idle' ? 10_000 : 1_000)])) as ScaleInputs['costs'],
  others: Object.fromEntries(Object.keys(inputSources).map((name) => [name, 10])) as ScaleInputs['others'],
  sizes: [
    { service: 'forecast', data: 2, indexes: 1 },
    { service: 'webhook', data: 1, indexes: 1 },
  ],
  sizesFrom: 'a test',
};

describe('the load', () => {
  test('has as many webhooks as planned, after warehouse events and after pushes with a new status', () => {
    const rates = new Map(streamsOf(inputs, assumptions).map(({ name, perSecond }) => [name, perSecond]));
    const of = (...names: Parameters<typeof rates.get>[0][]): number => names.reduce((sum, name) => sum + (rates.get(name) ?? 0), 0);
    expect(of('eventInBatch', 'eventOnKafka')).toBe(assumptions.warehouseEvents);
    expect(of('pushChanged', 'pushSame')).toBe(assumptions.pushes);
    expect(of('eventInBatch', 'eventOnKafka', 'pushChanged')).toBe(assumptions.webhooks);
    expect(() => streamsOf(inputs, { ...assumptions, webhooks: 600 })).toThrow('Webhooks must be between');
  });

  test('costs the sum of its streams at each process', () => {
    // 1 ms for each of 140 submissions, 350 events of each way and 1,100 pushes; the other streams cost 10 µs at most.
    expect(coresOf('webhook', streamsOf(inputs, assumptions))).toBeCloseTo(0.14 + 0.7 + 1.1);
  });

  test('takes the cost of a size from the line through two others', () => {
    expect(costOfSize(1, 20, 110)).toBe(20);
    expect(costOfSize(0.5, 20, 110)).toBe(15);
    expect(costOfSize(0, 5, 95)).toBe(0);
  });

  test('fills the topics with what follows', () => {
    const rates = new Map(topicLoads(streamsOf(inputs, assumptions)).map(({ topic, perSecond }) => [topic, perSecond]));
    expect(rates.get('warehouse.events.v1')).toBe(700);
    expect(rates.get('forecast.events.v1')).toBe(2 * 140 + 700);
    expect(rates.get('tracking.events.v1')).toBe(550);
  });
});

describe('the model', () => {
  const model = scaleModel(inputs, assumptions);

  test('gives every service headroom, of which one replica may be away', () => {
    for (const { replicas, outcome, oneFewer } of model.services) {
      expect(outcome.peak).toBeLessThanOrEqual(PEAK_SHARE);
      expect(outcome.burst).toBeLessThan(1);
      expect(outcome.backlogSeconds).toBe(0);
      expect(oneFewer.peak).toBeLessThanOrEqual(PEAK_SHARE_ONE_FEWER);
      // Of no service more than its bursts ask for, here where each has many.
      expect(replicas).toBeGreaterThan(2);
      expect(oneFewer.peak > PEAK_SHARE || oneFewer.burst >= 1).toBe(true);
    }
  });

  test('knows what is consumed, and takes shards for the scarcest resource', () => {
    const shares = new Map(model.services.map(({ service, consumedShare }) => [service, consumedShare]));
    expect(shares.get('gateway')).toBe(0);
    // All but the pushes with a further node, which cost each process as much here and lead to no webhook.
    expect(shares.get('webhook')).toBeCloseTo((0.14 + 0.7 + 0.55) / (0.14 + 0.7 + 1.1));
    expect(shares.get('tracking')).toBeGreaterThan(0);
    expect(shares.get('tracking')).toBeLessThan(1);
    expect(model.shards).toBe(Math.max(...model.shardNeeds.map(({ count }) => count)));
    expect(countFor(model.brokerNeeds, 3)).toBeGreaterThanOrEqual(3);
  });

  test('keeps what services keep by themselves no longer than their own days', () => {
    expect([keptDaysOf('webhook', assumptions), keptDaysOf('forecast', assumptions), keptDaysOf('webhook', { keptDays: 10 })]).toEqual([
      45, 180, 10,
    ]);
    // 2 million parcels a day: 2 GiB and 1 GiB of indexes for each million and 180 days, 1 and 1 for 45.
    expect(storedBy(inputs.sizes, assumptions)).toMatchObject({ data: 2 * (2 * 180 + 45), indexes: 2 * (180 + 45) });
  });

  test('costs what its lines cost', () => {
    const expenses = expensesOf(model, priceList.prices);
    const replicas = model.services.reduce((sum, service) => sum + service.replicas, 0);
    expect(expenses[0]?.dollars).toBeCloseTo(replicas * 730 * priceList.prices.coreHour.each);
    expect(totalOf(expenses)).toBeCloseTo(expenses.reduce((sum, { dollars }) => sum + dollars, 0));
  });
});

describe('what breaks', () => {
  test('is in the order in which it is reached, and grows with the load', () => {
    const breaks = breaksOf(inputs, assumptions, 10, 24);
    expect(breaks.map(({ breaksAt }) => breaksAt)).toEqual(breaks.map(({ breaksAt }) => breaksAt).sort((a, b) => a - b));
    for (const { demand, demandScaled } of breaks) expect(demandScaled / demand).toBeGreaterThan(3);
    expect(breaks.every(({ change }) => change.length > 20)).toBe(true);
    // Of the plan, not those that a new installation has.
    expect(breaks.find(({ unit }) => unit === 'replicas')?.holds).toBe(24);
  });

  test('has at one times the load what the limits have', () => {
    expect(limitsOf(inputs, timesThe(assumptions, 1), 24)).toEqual(limitsOf(inputs, assumptions, 24));
  });
});

describe('sizes', () => {
  test('of the page on growth are those of distributed mode, added up by service', () => {
    const table = (name: string, data: string) =>
      `### Size of a million parcels, MB, measured at 300,000\n\n| Service and table | Data | Indexes | Together |\n| --- | --: | --: | --: |\n| ${name} | ${data} | 1,073.741824 | 9 |\n| all together | 9 | 9 | 9 |\n`;
    const page = `${table('webhook/events', '1')}\n<!-- bench-distributed:begin -->\n${table('forecast/forecasts', '2,147.483648')}`;
    expect(sizesOfGrowth(page)).toEqual([{ service: 'forecast', data: 2, indexes: 1 }]);
    // Before its first run, and where only embedded mode was run.
    expect(sizesOfGrowth('# Growth')).toBeUndefined();
    expect(sizesOfGrowth(table('webhook/events', '1'))).toBeUndefined();
  });

  test('of a sum are the sum', () => {
    const total = sizesOfSum(1.024).reduce((sum, { data, indexes }) => sum + data + indexes, 0);
    expect(total).toBeCloseTo(1);
  });
});

test('the largest tenant breaks at what is scarcest on its shard, without what is divided by warehouses', () => {
  const largestOf = (sizes: ScaleInputs['sizes']) =>
    limitsOf({ ...inputs, sizes }, assumptions, 24).find(({ what }) => what.includes('largest tenant'));
  const large = { service: 'forecast', data: 100, indexes: 100 };
  const limit = largestOf([large]);
  const { hot } = storedBy([large], assumptions);
  expect(limit).toMatchObject({ what: 'The largest tenant, which is on one shard: working set', unit: 'GiB of one shard' });
  expect(limit?.demand).toBeCloseTo(assumptions.largestTenantShare * hot);
  expect(limit?.holds).toBe(assumptions.memberGibibytes * assumptions.cacheShare);
  expect(largestOf([large, { service: 'warehouse-intake', data: 500, indexes: 500 }])).toEqual(limit);
});
