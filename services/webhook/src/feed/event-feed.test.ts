import { describe, expect, test } from '@jest/globals';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import { createEventExpiry } from '../retention/maintenance.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { acceptIn, eventFor, T0 } from '../testing/webhook-fixtures.ts';
import type { EventFeed, FeedEvent } from './event-feed.ts';

type From = Parameters<EventFeed['page']>[1];

const ALL: From = { since: null };
const given = (seq: number, id: TenantEvent): FeedEvent => ({ eventId: id.eventId, type: id.type, body: JSON.stringify({ seq }) });

const under = useStores();

describe('feed', () => {
  const page = (from: From, limit = 100, types: readonly SentEventType[] | null = null) =>
    under.stores.feed.page('tnt_one', from, { types, poNumber: null }, limit);
  const accept = (event: TenantEvent, now = T0) => acceptIn(under.stores.intake, event, now, () => null);
  async function accepted(count: number, now = T0): Promise<TenantEvent[]> {
    const all = Array.from({ length: count }, () => eventFor('tnt_one', 'FC1'));
    for (const event of all) await accept(event, now);
    return all;
  }

  test('has the events of a tenant in the order of their coming, page by page, test events left out', async () => {
    const first = await accepted(2);
    await accept(eventFor('tnt_one', 'FC1', { parcel: null, test: true, about: 'ep_1' }));
    await accept(eventFor('tnt_one', 'FC1', { parcel: null, test: true, about: 'ep_1', type: 'endpoint.test' }));
    await accept(eventFor('tnt_two', 'FC1'));
    const disabled = eventFor('tnt_one', 'FC1', { type: 'endpoint.disabled', parcel: null, render: () => '{"seq":0}' });
    await accept(disabled);
    const last = await accepted(2);
    const events = [given(1, first[0] as TenantEvent), given(2, first[1] as TenantEvent), given(0, disabled)];
    events.push(given(3, last[0] as TenantEvent), given(4, last[1] as TenantEvent));
    const whole = await page(ALL);
    expect(whole).toMatchObject({ events, more: false });
    const seen: FeedEvent[] = [];
    let from: From = ALL;
    for (const isLast of [false, false, true]) {
      const { events: some, next, more } = await page(from, 2);
      expect(more).toBe(!isLast);
      seen.push(...some);
      from = { after: next };
    }
    expect(seen).toEqual(events);
    expect(await page(from)).toEqual({ events: [], next: 'after' in from ? from.after : '', more: false });
    expect((await page(ALL, 100, ['endpoint.disabled'])).events).toEqual([events[2]]);
    // The place of the reader passes events that the filter leaves out.
    expect(await page(ALL, 2, ['endpoint.disabled'])).toMatchObject({ events: [], more: true });
    expect(await page(ALL, 5, ['tracking.changed'])).toEqual({ events: [], next: whole.next, more: false });
  });

  test('has what happened to one parcel, page by page, in one stream or both', async () => {
    const of = (poNumber: string | null, given: Partial<TenantEvent> = {}) => eventFor('tnt_one', `FC_${poNumber}`, { poNumber, ...given });
    const wanted = [of('PO 1'), of('PO 1', { type: 'tracking.changed' }), of('PO 1', { type: 'forecast.cancelled' })];
    const others = [of('PO 2'), of('po 1'), of('PO 10'), of('', {}), of(null, { type: 'endpoint.disabled', parcel: null })];
    others.push({ ...of('PO 1'), tenantId: 'tnt_two' }, of('PO 1', { parcel: null, test: true, about: 'ep_1' }));
    for (const event of [others[0], wanted[0], ...others.slice(1), wanted[2], wanted[1]]) await accept(event as TenantEvent);
    const pageOf = (from: From, limit = 100, types: readonly SentEventType[] | null = null) =>
      under.stores.feed.page('tnt_one', from, { types, poNumber: 'PO 1' }, limit);
    const idsOf = ({ events }: Awaited<ReturnType<typeof pageOf>>) => events.map(({ eventId }) => eventId);
    const [weighed, changed, cancelled] = wanted.map(({ eventId }) => eventId);
    expect(idsOf(await pageOf(ALL))).toEqual([weighed, changed]);
    expect(idsOf(await pageOf(ALL, 100, ['tracking.changed', 'forecast.cancelled']))).toEqual([cancelled, changed]);
    const first = await pageOf(ALL, 1);
    expect(first).toMatchObject({ more: true });
    const second = await pageOf({ after: first.next }, 1);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([weighed, changed]);
    expect(second).toMatchObject({ more: false });
    expect(idsOf(await pageOf({ since: T0 + 60_000 }))).toEqual([]);
    expect((await under.stores.feed.page('tnt_one', ALL, { types: null, poNumber: 'PO 3' }, 100)).events).toEqual([]);
  });

  test('begins at an instant, or behind all that there is', async () => {
    const [old] = (await accepted(1)) as [TenantEvent];
    const since = T0 + 1;
    const [young] = (await accepted(1, T0 + 2)) as [TenantEvent];
    const end = await under.stores.feed.end();
    expect((await page({ since: T0 - 60_000 })).events).toEqual([given(1, old), given(2, young)]);
    expect((await page({ since })).events).toEqual([given(2, young)]);
    expect((await page({ since: T0 + 60_000 })).events).toEqual([]);
    expect((await page({ after: end })).events).toEqual([]);
    const [last] = (await accepted(1)) as [TenantEvent];
    expect((await page({ after: end })).events).toEqual([given(3, last)]);
  });

  test('continues when the retention has deleted the last event that the reader has seen', async () => {
    await accepted(2);
    const { next } = await page(ALL);
    const expireEvents = createEventExpiry(under.documents);
    while (await expireEvents(T0 + 1, 10)) {}
    expect((await page(ALL)).events).toEqual([]);
    expect((await page({ since: 0 })).events).toEqual([]);
    const [event] = (await accepted(1)) as [TenantEvent];
    expect((await page({ after: next })).events).toEqual([given(3, event)]);
  });
});
