import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Bus, EventBatchHandler, EventHandlers } from '@parcelway/bus/bus';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { ErasedTenantStore } from '@parcelway/kernel/tenant-data';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createErasedTenants, erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { ErasedTenants } from './erased-tenants.ts';
import { withoutErased } from './open-tenant-data.ts';

type Handled = Parameters<EventBatchHandler<'forecast.cancelled'>>[0][number];

const event = (tenantid: string) => ({ type: 'forecast.cancelled', tenantid }) as Handled;

describe('a bus without erased tenants', () => {
  let handlers: EventHandlers = {};
  let batch: EventBatchHandler<'forecast.cancelled'> = async () => undefined;
  const subscription = { stop: async () => undefined };
  const bus = withoutErased(
    {
      async subscribe(_group: string, given: EventHandlers) {
        handlers = given;
        return subscription;
      },
      async subscribeBatch(_group: string, _types: readonly string[], given: typeof batch) {
        batch = given;
        return subscription;
      },
      lag: async () => 7,
    } as unknown as Bus,
    (tenantId) => tenantId === 'tnt_gone',
  );

  test('drops their events, one by one and in batches', async () => {
    const seen: string[] = [];
    await bus.subscribe('g', { 'forecast.cancelled': async ({ tenantid }) => void seen.push(tenantid) });
    for (const tenantid of ['tnt_gone', 'tnt_1']) await handlers['forecast.cancelled']?.(event(tenantid));
    await bus.subscribeBatch('g', ['forecast.cancelled'], async (events) => void seen.push(events.map(({ tenantid }) => tenantid).join()));
    await batch([event('tnt_2'), event('tnt_gone'), event('tnt_3')]);
    await batch([event('tnt_gone')]);
    expect(seen).toEqual(['tnt_1', 'tnt_2,tnt_3']);
  });

  test('is the same bus otherwise', async () => {
    expect(await bus.lag('g', 't')).toBe(7);
  });
});

describe('the directory of erased tenants', () => {
  let db: SqliteDatabase;
  let store: ErasedTenantStore;
  const opened: ErasedTenants[] = [];
  const open = (over: ErasedTenantStore = store): ErasedTenants => {
    const tenants = new ErasedTenants({ store: over, clock: new ManualClock(1000), logger: silentLogger, readEveryMs: 50 });
    opened.push(tenants);
    return tenants;
  };
  beforeEach(() => {
    db = new SqliteDatabase(':memory:');
    db.declare(sqliteSchema([erasedTenants]));
    store = createErasedTenants(createSqliteStore({ db }));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((tenants) => tenants.stop()));
    db.close();
  });

  test('knows what was remembered before its start, and what it remembers at once', async () => {
    await store.remember('tnt_old', 1);
    const tenants = open();
    await tenants.start();
    await tenants.remember('tnt_new');
    expect(['tnt_old', 'tnt_new', 'tnt_other'].map((id) => tenants.has(id))).toEqual([true, true, false]);
  });

  test('learns what another process has remembered', async () => {
    const [one, two] = [open(), open()];
    await Promise.all([one.start(), two.start()]);
    await one.remember('tnt_a');
    await until(async () => two.has('tnt_a'), { within: 5000, what: 'the other process to know' });
  });

  test('goes on reading after the store was out', async () => {
    let isOut = false;
    let refused = 0;
    const failing: ErasedTenantStore = {
      remember: (tenantId, at) => store.remember(tenantId, at),
      list(after) {
        if (!isOut) return store.list(after);
        refused += 1;
        return Promise.reject(new Error('out'));
      },
    };
    const tenants = open(failing);
    await tenants.start();
    isOut = true;
    await store.remember('tnt_a', 1);
    await until(() => refused > 0, { what: 'a read that fails' });
    isOut = false;
    await until(async () => tenants.has('tnt_a'), { within: 6000, what: 'the tenant to be known' });
  });
});
