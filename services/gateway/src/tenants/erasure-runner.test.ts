import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Store } from '@parcelway/store/store';
import { storesIn } from '../testing/set-up-stores.ts';
import { beginErasureOf, erasureOf, leaseErasure } from './erasure-collection.ts';
import { ErasureRunner } from './erasure-runner.ts';
import type { ServiceData } from './ports.ts';

let db: SqliteDatabase;
let store: Store;
let runner: ErasureRunner;
const clock = new ManualClock(1_000_000);
/** Tenants whose data cannot be deleted. */
const failing = new Set<string>();

beforeEach(async () => {
  db = new SqliteDatabase(':memory:');
  ({ store } = storesIn(db));
  failing.clear();
  const service: ServiceData = {
    service: 'forecast',
    remember: async () => undefined,
    kinds: async () => [{ name: 'forecasts', listed: true, erased: true }],
    list: async () => ({ records: [], next: null }),
    async erase(_kind, tenantId) {
      if (failing.has(tenantId)) throw AppError.unavailable('The store cannot be used now');
      return 0;
    },
  };
  runner = new ErasureRunner({
    store,
    data: { services: [service], erasePhotos: async () => 0 },
    bus: { async *deadLetterPages() {}, deleteDeadLetters: async () => [] },
    clock,
    logger: silentLogger,
    owner: 'gateway-1',
    settleMs: 0,
  });
});
afterEach(async () => {
  await runner.stop();
  db.close();
});

const stateOf = async (tenantId: string) => (await erasureOf(store, tenantId))?.finishedAt !== null;

test('one that fails says why, does not keep others from their turn, and is repeated', async () => {
  failing.add('tnt_a');
  for (const tenantId of ['tnt_a', 'tnt_b', 'tnt_c']) await beginErasureOf(store, tenantId, clock.now());
  runner.start();
  await until(async () => (await stateOf('tnt_b')) && (await stateOf('tnt_c')), { what: 'the others to be erased' });
  const failed = { finishedAt: null, failures: 1, failure: 'The store cannot be used now (50301)' };
  expect(await erasureOf(store, 'tnt_a')).toMatchObject(failed);
  failing.clear();
  clock.advance(9999);
  expect(await leaseErasure(store, 'another', clock.now(), clock.now() + 1)).toBeUndefined();
  clock.advance(1);
  runner.wake();
  await until(() => stateOf('tnt_a'), { what: 'the erasure to be repeated' });
  expect(await erasureOf(store, 'tnt_a')).toMatchObject({ failures: 0, failure: null });
});
