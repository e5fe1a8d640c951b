import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { SqliteDocumentOrders } from './adapters/sqlite-document-orders.ts';
import { fileMigrations } from './adapters/sqlite-schema.ts';
import type { DocumentOrder } from './domain/forecast-documents.ts';
import { OrderRunner } from './order-runner.ts';
import { orderOf } from './testing/document-content.ts';

let db: SqliteDatabase;
let orders: SqliteDocumentOrders;
/** Searches for orders, and what the next of their writes fail with. */
let looks: number;
let outages: AppError[];
/** A search lasts until it resolves. */
let searching: Promise<void>;
let clock: ManualClock;
const runners: { readonly runner: OrderRunner; readonly endAll: () => void }[] = [];
beforeEach(() => {
  db = new SqliteDatabase(':memory:');
  db.migrate(fileMigrations);
  [looks, outages, searching] = [0, [], Promise.resolve()];
  orders = new (class extends SqliteDocumentOrders {
    override async nextTenant(...given: Parameters<SqliteDocumentOrders['nextTenant']>) {
      looks += 1;
      await searching;
      return super.nextTenant(...given);
    }
    override async putLeased(...given: Parameters<SqliteDocumentOrders['putLeased']>) {
      const kept = await super.putLeased(...given);
      const outage = outages.shift();
      if (outage !== undefined) throw outage;
      return kept;
    }
  })(db);
  clock = new ManualClock(1000);
});
afterEach(async () => {
  for (const { runner, endAll } of runners) {
    runner.close();
    endAll();
  }
  await Promise.all(runners.splice(0).map(({ runner }) => runner.settled()));
  db.close();
});

/** A runner whose orders end on request, or fail. */
function open(failures: AppError[] = [], loopUse: () => number = () => 0) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const generate = async ({ forecastNo, version }: DocumentOrder): Promise<'generated'> => {
    const name = `${forecastNo} v${version}`;
    begun.push(name);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return 'generated';
  };
  const runner = new OrderRunner({ orders, generate, clock, logger: silentLogger, metrics: noTelemetry.metrics, loopUse });
  const end = async (name: string): Promise<void> => {
    await until(async () => ends.has(name));
    ends.get(name)?.();
  };
  const hasBegun = (count: number): Promise<unknown> => until(async () => begun.length >= count);
  const endAll = (): void => {
    for (const done of ends.values()) done();
  };
  runners.push({ runner, endAll });
  return { runner, begun, end, hasBegun, endAll };
}

const put = (tenantId: string, forecastNo: string, version = 1): Promise<void> =>
  orders.put(orderOf({ tenantId, forecastNo, version }), clock.now());

describe('the runner of orders', () => {
  test.each(['tnt_0', 'tnt_2'])('begins the order of %s before the third of eight that another tenant gave earlier', async (other) => {
    for (let index = 1; index <= 8; index += 1) {
      await put('tnt_1', `FC-${index}`);
      clock.advance(1);
    }
    const { runner, begun, end, hasBegun, endAll } = open();
    runner.start();
    await hasBegun(2);
    await put(other, 'FC-B');
    runner.wake();
    await hasBegun(3);
    expect(begun).toEqual(['FC-1 v1', 'FC-2 v1', 'FC-B v1']);
    await end('FC-1 v1');
    await hasBegun(4);
    expect(begun[3]).toBe('FC-3 v1');
    endAll();
  });

  test('puts off the next order while the event loop is busy, for a quarter of a second at most', async () => {
    for (let index = 1; index <= 4; index += 1) await put('tnt_1', `FC-${index}`);
    let use = 1;
    const { runner, begun, end, hasBegun, endAll } = open([], () => use);
    runner.start();
    await hasBegun(2);
    const ended = performance.now();
    await end('FC-1 v1');
    await hasBegun(3);
    const restedMs = performance.now() - ended;
    expect(restedMs).toBeGreaterThan(200);
    use = 0;
    await end('FC-2 v1');
    const free = performance.now();
    await hasBegun(4);
    expect(performance.now() - free).toBeLessThan(restedMs);
    expect(begun).toHaveLength(4);
    endAll();
  });

  test('gives tenants turns when more of them wait than there is room for', async () => {
    for (const tenantId of ['tnt_1', 'tnt_2', 'tnt_3', 'tnt_4']) for (const index of [1, 2]) await put(tenantId, `${tenantId}-${index}`);
    const { runner, begun, end, hasBegun, endAll } = open();
    runner.start();
    await hasBegun(3);
    await end('tnt_1-1 v1');
    await hasBegun(4);
    await end('tnt_2-1 v1');
    await hasBegun(5);
    expect(begun.map((name) => name.slice(0, 5))).toEqual(['tnt_1', 'tnt_2', 'tnt_3', 'tnt_4', 'tnt_1']);
    endAll();
  });

  test('passes over a version that was superseded while it waited', async () => {
    await put('tnt_1', 'FC-1', 1);
    await put('tnt_1', 'FC-1', 2);
    const { runner, begun, end } = open();
    runner.start();
    await end('FC-1 v2');
    await until(async () => (await orders.count()) === 0);
    expect(begun).toEqual(['FC-1 v2']);
  });

  test('takes over what another process has left when its lease ends, once', async () => {
    await put('tnt_1', 'FC-1');
    const crashed = await orders.lease('tnt_1', clock.now(), clock.now() + 90_000);
    const [one, two] = [open(), open()];
    one.runner.start();
    two.runner.start();
    clock.advance(90_000);
    one.runner.wake();
    two.runner.wake();
    await until(async () => one.begun.length + two.begun.length === 1);
    one.endAll();
    two.endAll();
    await until(async () => (await orders.count()) === 0);
    expect([crashed?.order.forecastNo, one.begun.length + two.begun.length]).toEqual(['FC-1', 1]);
  });

  test('keeps an order through an outage, and one with a defect until its retention ends', async () => {
    await put('tnt_1', 'FC-1');
    const { runner, begun, hasBegun } = open([
      AppError.unavailable('out'),
      new AppError('50000', 'a defect'),
      new AppError('50000', 'a defect'),
    ]);
    runner.start();
    const again = async (count: number, afterMs: number): Promise<void> => {
      await until(async () => (await orders.nextTenant('', clock.now())) === undefined);
      clock.advance(afterMs);
      runner.wake();
      await hasBegun(count);
    };
    await hasBegun(1);
    await again(2, 3000);
    await again(3, 7 * 24 * 3_600_000);
    await until(async () => (await orders.count()) === 0);
    expect(begun).toHaveLength(3);
  });

  describe('given an order', () => {
    const orderFor = (tenantId: string, forecastNo: string): DocumentOrder => orderOf({ tenantId, forecastNo, version: 1 });
    /** A runner that knows that nothing waits. */
    async function openIdle() {
      const opened = open();
      opened.runner.start();
      await until(async () => looks > 0);
      await turns();
      looks = 0;
      return opened;
    }
    const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

    test('carries it out without a search while there is room', async () => {
      const { runner, begun, end } = await openIdle();
      for (const index of [1, 2, 3]) {
        await runner.take(orderFor('tnt_1', `FC-${index}`));
        await end(`FC-${index} v1`);
        await until(async () => (await orders.count()) === 0);
        await turns();
      }
      expect([begun, looks]).toEqual([['FC-1 v1', 'FC-2 v1', 'FC-3 v1'], 0]);
    });

    test('keeps what it has no room for until it has, and begins others of more tenants first', async () => {
      const { runner, begun, end, hasBegun, endAll } = await openIdle();
      for (const index of [1, 2, 3, 4]) await runner.take(orderFor('tnt_1', `FC-${index}`));
      await runner.take(orderFor('tnt_2', 'FC-B'));
      await hasBegun(3);
      expect([begun, await orders.count()]).toEqual([['FC-1 v1', 'FC-2 v1', 'FC-B v1'], 5]);
      await end('FC-1 v1');
      await hasBegun(4);
      await end('FC-3 v1');
      await hasBegun(5);
      expect(begun.slice(3)).toEqual(['FC-3 v1', 'FC-4 v1']);
      endAll();
    });

    test('fails when it cannot be kept, and carries it out when it is given again', async () => {
      const { runner, begun, end } = await openIdle();
      outages = [AppError.unavailable('out')];
      await expect(runner.take(orderFor('tnt_1', 'FC-1'))).rejects.toMatchObject({ code: '50301' });
      expect([begun, await orders.count()]).toEqual([[], 1]);
      await runner.take(orderFor('tnt_1', 'FC-1'));
      await end('FC-1 v1');
      await until(async () => (await orders.count()) === 0);
      expect(begun).toEqual(['FC-1 v1']);
    });

    test('carries it out soon after a failure, too, when others wait by then', async () => {
      const { runner, begun, hasBegun, endAll } = await openIdle();
      outages = [AppError.unavailable('out')];
      await expect(runner.take(orderFor('tnt_1', 'FC-1'))).rejects.toMatchObject({ code: '50301' });
      for (const index of [2, 3, 4]) await runner.take(orderFor('tnt_1', `FC-${index}`));
      await runner.take(orderFor('tnt_1', 'FC-1'));
      endAll();
      await hasBegun(3);
      endAll();
      await hasBegun(4);
      endAll();
      expect(begun).toContain('FC-1 v1');
    });

    test('does not carry it out a second time while it does so', async () => {
      const { runner, begun, end } = await openIdle();
      await runner.take(orderFor('tnt_1', 'FC-1'));
      await runner.take(orderFor('tnt_1', 'FC-1'));
      await turns();
      await end('FC-1 v1');
      await until(async () => (await orders.count()) === 0);
      expect(begun).toEqual(['FC-1 v1']);
    });

    test('leaves the place to what is being searched for', async () => {
      const { runner, begun, hasBegun, endAll } = await openIdle();
      await runner.take(orderFor('tnt_1', 'FC-1'));
      await runner.take(orderFor('tnt_2', 'FC-2'));
      await put('tnt_3', 'FC-3');
      let found = (): void => undefined;
      searching = new Promise((resolve) => {
        found = resolve;
      });
      runner.wake();
      await until(async () => looks > 0);
      const taken = runner.take(orderFor('tnt_4', 'FC-4'));
      found();
      await taken;
      await hasBegun(3);
      await turns();
      expect(begun).toEqual(['FC-1 v1', 'FC-2 v1', 'FC-3 v1']);
      endAll();
    });

    test('keeps it for others once it is closed', async () => {
      const { runner, begun } = await openIdle();
      runner.close();
      await runner.take(orderFor('tnt_1', 'FC-1'));
      expect([begun, (await orders.lease('tnt_1', clock.now(), clock.now() + 1))?.order.forecastNo]).toEqual([[], 'FC-1']);
    });
  });

  test('stops retrying what no further try can repair', async () => {
    await put('tnt_1', 'FC-1');
    const { runner } = open([new AppError('40401', 'gone')]);
    runner.start();
    await until(async () => (await orders.count()) === 0);
  });
});
