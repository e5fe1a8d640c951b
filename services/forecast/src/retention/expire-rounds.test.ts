import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, useExpiry } from '../testing/expiry-under-test.ts';
import { instead } from '../testing/instead.ts';
import { expireForecasts } from './expire-forecasts.ts';
import { BATCH, BATCHES_OF_PART, type ExpireOptions } from './tenant-turn.ts';

const open = useExpiry();
const PART = BATCH * BATCHES_OF_PART;
const numbers = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Tenants with forecasts that are over, so many each. */
async function over(tenants: Readonly<Record<string, number>>): Promise<void> {
  for (const [tenantId, count] of Object.entries(tenants)) {
    await open().end(tenantId, 10, ...numbers(tenantId, count));
    await open().keep(tenantId, 7);
  }
}

/** Tenants in the order in which their batches were archived. */
function watchBatches(options: ExpireOptions): { readonly options: ExpireOptions; readonly batches: string[] } {
  const batches: string[] = [];
  const archive: ExpireOptions['archive'] = async (tenantId, forecasts) => {
    batches.push(tenantId);
    await options.archive?.(tenantId, forecasts);
  };
  return { options: { ...options, archive }, batches };
}

/** The work as a process has it that ends after so many pauses. */
const endingAfter = (paces: number): ExpireOptions['held'] => ({ ...open().held, isOver: () => open().paces >= paces });

describe('the parts of tenants', () => {
  test('are bounded: a tenant with a huge backlog waits for the others, round after round', async () => {
    await over({ tnt_a: 2 * PART + 1, tnt_b: 1, tnt_c: PART + 1 });
    const { options, batches } = watchBatches(open().options);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 3 * PART + 3, hasMore: false });
    const part = (tenantId: string): string[] => Array.from({ length: BATCHES_OF_PART }, () => tenantId);
    expect(batches).toEqual([...part('tnt_a'), 'tnt_b', ...part('tnt_c'), ...part('tnt_a'), 'tnt_c', 'tnt_a']);
    expect(await open().left()).toEqual([]);
  });

  test('begin behind the tenant who had the last one, whose process may have ended within it', async () => {
    await over({ tnt_a: PART + 1, tnt_b: BATCH + 1, tnt_c: 1 });
    await expireForecasts({ ...open().options, held: endingAfter(1) });
    await expireForecasts({ ...open().options, held: endingAfter(2) });
    expect(open().reached).toEqual(['tnt_a', 'tnt_b']);
    expect(await expireForecasts(open().options)).toMatchObject({ hasMore: false });
    expect(open().reached).toEqual(['tnt_a', 'tnt_b', 'tnt_c', 'tnt_a', 'tnt_b']);
    expect(await open().left()).toEqual([]);
  });

  test('reach every tenant when each process ends after one batch', async () => {
    await over(Object.fromEntries(numbers('tnt_', 6).map((tenantId) => [tenantId, 2 * BATCH])));
    for (let turn = 1; turn <= 6; turn += 1) await expireForecasts({ ...open().options, held: endingAfter(turn) });
    expect(open().reached).toEqual(numbers('tnt_', 6));
  });

  test('end with the turn after ten minutes, and go on in the next', async () => {
    await over({ tnt_a: 3 * PART, tnt_b: 1 });
    const clock = new ManualClock(NOW);
    const pace = async (): Promise<void> => clock.advance(3 * 60_000);
    expect(await expireForecasts({ ...open().options, clock, pace })).toMatchObject({ forecasts: PART, hasMore: true });
    expect(await expireForecasts({ ...open().options, clock, pace })).toMatchObject({ forecasts: PART + 1, hasMore: true });
    expect(open().reached).toEqual(['tnt_a', 'tnt_b', 'tnt_a']);
  });

  test('reach a tenant behind others with nothing to delete, more than a turn can visit', async () => {
    const others = numbers('tnt_', 9);
    for (const tenantId of others) {
      await open().end(tenantId, 3, tenantId);
      await open().keep(tenantId, 7);
    }
    await over({ tnt_z: 1 });
    const clock = new ManualClock(NOW);
    const find: ExpireOptions['retentions']['find'] = async (tenantId) => {
      clock.advance(3 * 60_000);
      return open().options.retentions.find(tenantId);
    };
    const turn = () => expireForecasts({ ...open().options, clock, retentions: { find } });
    expect([await turn(), await turn(), await turn()].map(({ forecasts }) => forecasts)).toEqual([0, 0, 1]);
    expect(await open().left()).toEqual(others);
  });

  test('are not lost to tenants for whom a dependency is out, and the next turn then waits', async () => {
    await over({ tnt_a: 1, tnt_b: 1, tnt_c: 1, tnt_d: 1 });
    const archive: ExpireOptions['archive'] = async (tenantId, forecasts) => {
      if (tenantId !== 'tnt_d') throw AppError.unavailable('The object store cannot be used now');
      await open().options.archive?.(tenantId, forecasts);
    };
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: 0, hasMore: false, unavailable: {} });
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: 1, hasMore: false, unavailable: {} });
    expect(await open().left()).toEqual(['tnt_a0', 'tnt_b0', 'tnt_c0']);
  });

  test('go on when the lease cannot be extended once', async () => {
    await over({ tnt_a: 1, tnt_b: 1, tnt_c: 1 });
    const renew: ExpireOptions['held']['renew'] = async (place) => {
      if (place === 'tnt_b') throw AppError.unavailable('The store cannot be used now');
      await open().held.renew(place);
    };
    const held = { ...open().held, renew };
    expect(await expireForecasts({ ...open().options, held })).toMatchObject({ forecasts: 2, unavailable: { code: '50301' } });
    expect(await open().left()).toEqual(['tnt_b0']);
  });

  test('count when the tenants cannot be read any more, and the next turn then waits', async () => {
    await over({ tnt_a: 1, tnt_b: 1 });
    const { expiry } = open().options;
    const nextTenant: typeof expiry.nextTenant = async (after) => {
      if (after !== '') throw AppError.unavailable('The store cannot be used now');
      return expiry.nextTenant(after);
    };
    const unreadable = instead(expiry, { nextTenant });
    const counts = await expireForecasts({ ...open().options, expiry: unreadable });
    expect(counts).toMatchObject({ forecasts: 1, hasMore: false, unavailable: { code: '50301' } });
    expect(await open().left()).toEqual(['tnt_b0']);
  });

  test('go beyond forecasts that fail, also when these fill a part', async () => {
    await over({ tnt_a: PART + BATCH });
    const bad = new Set(numbers('tnt_a', PART));
    const archive: ExpireOptions['archive'] = async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => bad.has(record.forecastNo))) throw new Error('cannot be archived');
      await open().options.archive?.(tenantId, forecasts);
    };
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: BATCH, skipped: PART, hasMore: false });
  });
});
