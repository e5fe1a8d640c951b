import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { optInEventTypes, type SentEventType, type TenantEventType, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { newId } from '@parcelway/kernel/ids';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { WebhookStores } from '../ports.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, replayOf } from '../testing/webhook-fixtures.ts';

/** A store may wait some seconds before it shows an event; far less than this. */
const DEADLINE_MS = 15_000;

/** One life of a parcel, standard and further events mixed. */
const LIFE: readonly TenantEventType[] = [
  'forecast.accepted',
  'parcel.arrived',
  'parcel.weighed',
  'parcel.photographed',
  'parcel.dispatched',
  'tracking.changed',
  'parcel.completed',
];

const under = useStores();

describe('streams', () => {
  let stores: WebhookStores;
  beforeEach(() => {
    ({ stores } = under);
  });

  const seqOf = (body: string): number => (JSON.parse(body) as { seq: number }).seq;
  async function live(types: readonly SentEventType[], forecastNo = 'FC1'): Promise<TenantEvent[]> {
    const events = types.map((type) => eventFor('tnt_one', forecastNo, { type, occurredAt: Date.now() }));
    for (const event of events) await acceptIn(stores.intake, event, Date.now(), () => null);
    return events;
  }
  /** Waits until the feed shows so many events of some types. */
  async function shown(types: readonly SentEventType[] | null, count: number) {
    for (const end = Date.now() + DEADLINE_MS; ; await pause(50)) {
      const page = await stores.feed.page('tnt_one', { since: null }, { types, poNumber: null }, 100);
      if (page.events.length >= count || Date.now() > end) return page;
    }
  }
  const named = (page: Awaited<ReturnType<typeof shown>>): string[] => page.events.map(({ type, body }) => `${type} ${seqOf(body)}`);

  test('number their events separately, and a repeated event takes no number', async () => {
    const [accepted] = await live(LIFE);
    await acceptIn(stores.intake, accepted as TenantEvent, Date.now(), () => null);
    await live(['parcel.weighed', 'parcel.exception']);
    await live(['parcel.arrived'], 'FC2');
    expect(named(await shown(tenantEventTypes, LIFE.length + 3))).toEqual([
      'forecast.accepted 1',
      'parcel.arrived 2',
      'parcel.weighed 1',
      'parcel.photographed 3',
      'parcel.dispatched 4',
      'tracking.changed 2',
      'parcel.completed 5',
      'parcel.weighed 3',
      'parcel.exception 6',
      'parcel.arrived 1',
    ]);
  });

  test('are shown apart: the feed has the further events only when they are named', async () => {
    await live(LIFE);
    await shown(tenantEventTypes, LIFE.length);
    const standard = ['parcel.weighed 1', 'tracking.changed 2'];
    expect(named(await shown(null, 2))).toEqual(standard);
    expect(named(await shown(['tracking.changed', 'parcel.weighed'], 2))).toEqual(standard);
    expect(named(await shown(['parcel.photographed', 'forecast.accepted'], 2))).toEqual(['forecast.accepted 1', 'parcel.photographed 3']);
    expect(named(await shown(['parcel.photographed', 'parcel.weighed'], 2))).toEqual(['parcel.weighed 1', 'parcel.photographed 3']);
  });

  test('are read together page by page, and a place in one is a place in both', async () => {
    await live([...LIFE, ...LIFE]);
    const whole = await shown(tenantEventTypes, 2 * LIFE.length);
    const seen: string[] = [];
    let from: Parameters<WebhookStores['feed']['page']>[1] = { since: null };
    for (let pages = 0, more = true; more && pages < 10; pages += 1) {
      const page = await stores.feed.page('tnt_one', from, { types: tenantEventTypes, poNumber: null }, 3);
      seen.push(...page.events.map(({ eventId }) => eventId));
      from = { after: page.next };
      more = page.more;
    }
    expect(seen).toEqual(whole.events.map(({ eventId }) => eventId));
    // From behind the first weighing the next standard event follows, whoever gave the place.
    const first = await stores.feed.page('tnt_one', { since: null }, { types: tenantEventTypes, poNumber: null }, 3);
    const behind = await stores.feed.page('tnt_one', { after: first.next }, EVERY_EVENT, 1);
    expect(named(behind)).toEqual(['tracking.changed 2']);
    expect(behind.more).toBe(true);
  });

  test('a replay finds the events of the named types in both, batch by batch', async () => {
    const since = Date.now() - 1;
    await live([...LIFE, ...LIFE]);
    const replay = async (types: readonly TenantEventType[], endpointId: string): Promise<number> => {
      const range = replayOf({ types, since, until: Date.now() + 1000, only: 'undelivered', limit: 4 });
      const endpoint = endpointFor('tnt_one', { endpointId, eventTypes: types });
      let scheduled = 0;
      let after: string | null = null;
      for (let batches = 0; batches === 0 || after !== null; batches += 1) {
        expect(batches).toBeLessThan(10);
        const { replay } = stores.redelivery;
        const batch: Awaited<ReturnType<typeof replay>> = await replay(endpoint, { ...range, after }, Date.now(), () => newId('dlv'));
        scheduled += batch.scheduled;
        after = batch.next;
      }
      return scheduled;
    };
    expect(await replay(['parcel.weighed', 'tracking.changed'], 'ep_a')).toBe(4);
    expect(await replay(optInEventTypes, 'ep_b')).toBe(10);
    expect(await replay(['tracking.changed', 'parcel.completed'], 'ep_c')).toBe(4);
    expect(await replay(tenantEventTypes, 'ep_d')).toBe(14);
  });
});
