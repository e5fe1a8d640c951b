import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import type { LeasedDelivery } from './intake/domain/delivery.ts';
import { events } from './intake/event-collections.ts';
import { createRedeliverer } from './queue/redeliver.ts';
import { openTestStores } from './testing/stores-under-test.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, keep, planned, resultOf, T0 } from './testing/webhook-fixtures.ts';

describe('a store in one process', () => {
  const directory = useDirectory();
  const newFile = () => join(directory.path, 'webhook.db');

  test('opened again, what its former process had leased is due at once, and what waits for its next attempt waits', async () => {
    const path = newFile();
    const { db: former, stores: before } = await openTestStores(path);
    await before.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
    await acceptIn(before.intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ deliveryId: 'dlv_1', leaseUntil: T0 + 60_000 }));
    const [retried] = await acceptIn(before.intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ leaseUntil: T0 + 60_000 }));
    await before.queue.record([resultOf(retried?.leased as LeasedDelivery, 'pending', T0 + 30_000)], keep);
    expect(await before.queue.lease([{ endpointId: 'ep_1', count: 9 }], T0, T0 + 60_000)).toEqual([]);
    former.close();
    const { db, stores } = await openTestStores(path);
    const leased = await stores.queue.lease([{ endpointId: 'ep_1', count: 9 }], T0, T0 + 60_000);
    expect(leased.map(({ delivery }) => delivery.deliveryId)).toEqual(['dlv_1']);
    db.close();
  });

  test('opened again with a clock that was set back, gives events later places in the feed all the same', async () => {
    const path = newFile();
    const { db: former, stores: before } = await openTestStores(path);
    await acceptIn(before.intake, eventFor('tnt_one', 'FC1'), T0, () => null);
    const { next } = await before.feed.page('tnt_one', { since: null }, EVERY_EVENT, 9);
    former.close();
    const { db, stores } = await openTestStores(path);
    const event = eventFor('tnt_one', 'FC1');
    await acceptIn(stores.intake, event, T0 - 86_400_000, () => null);
    const { events: found } = await stores.feed.page('tnt_one', { after: next }, EVERY_EVENT, 9);
    expect(found.map(({ eventId }) => eventId)).toEqual([event.eventId]);
    db.close();
  });

  test('shows nobody what a loss of power could undo', async () => {
    const { db, stores } = await openTestStores(newFile());
    const { endpoints, intake, feed, log } = stores;
    const redeliverer = createRedeliverer({
      store: stores.documents,
      endpoints,
      runner: { wake: () => undefined },
      clock: new ManualClock(T0),
      retentionMs: T0,
    });
    const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
    await stores.endpoints.insert(endpoint, 10);
    let flush: () => void = () => undefined;
    const flushed = new Promise<void>((resolve) => (flush = resolve));
    const event = eventFor('tnt_one', 'FC1');
    await acceptIn(intake, event, T0, () => planned({ deliveryId: 'dlv_1' }), true);
    const spy = jest.spyOn(db, 'flushed').mockReturnValue(flushed);
    const shown: string[] = [];
    const reads = {
      page: feed.page('tnt_one', { since: null }, EVERY_EVENT, 10),
      end: feed.end(),
      list: log.list('tnt_one', 'ep_1', { limit: 10, before: null }),
      get: log.get('tnt_one', 'ep_1', 'dlv_1'),
      ofEvent: log.ofEvent('tnt_one', 'ep_1', event.eventId),
      attempts: log.attempts('tnt_one', 'ep_1', 'dlv_1', 10),
      resend: redeliverer.resend('tnt_one', 'ep_1', 'dlv_1'),
      replay: redeliverer.replay('tnt_one', 'ep_1', { since: T0 - 1 }),
      settled: intake.settled(),
    };
    for (const [name, read] of Object.entries(reads)) void read.then(() => shown.push(name));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown).toEqual([]);
    flush();
    expect((await reads.page).events).toHaveLength(1);
    expect((await reads.list).deliveries).toHaveLength(1);
    await Promise.all(Object.values(reads));
    spy.mockRestore();
    db.close();
  });

  test('of one parcel at most one event is not on the disk yet', async () => {
    const { db, documents, stores } = await openTestStores(newFile());
    const apply = jest.spyOn(documents, 'apply');
    let number = 0;
    /** Takes an event in. @returns whether it may be flushed later */
    const accept = async (forecastNo: string | null, comesAgain = true) => {
      number += 1;
      const given = { eventId: `evt_${number}`, ...(forecastNo === null && { parcel: null }) };
      await acceptIn(stores.intake, eventFor('tnt_one', forecastNo ?? '', given), T0, () => null, comesAgain);
      return apply.mock.calls.findLast(([writes]) => writes[0]?.in === events)?.[1]?.flushLater;
    };
    expect([await accept('FC1'), await accept('FC1'), await accept('FC2')]).toEqual([true, false, true]);
    // The one that waited has brought the one before it to the disk.
    expect([await accept('FC1'), await accept('FC1'), await accept('FC1')]).toEqual([true, false, true]);
    expect([await accept(null), await accept(null), await accept('FC3', false)]).toEqual([true, true, false]);
    expect(await accept('FC4')).toBe(true);
    await stores.intake.settled();
    expect([await accept('FC1'), await accept('FC4')]).toEqual([true, true]);
    await stores.intake.settled();
    await Promise.all(Array.from({ length: 5_000 }, (_, index) => accept(`FC-${index}`)));
    expect(await accept('FC-one-too-many')).toBe(false);
    db.close();
  });
});
