import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { webhookCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EventDocument, eventKey, events } from '../../intake/adapters/mongo-event-documents.ts';
import { FEED_SETTLE_MS } from '../../intake/adapters/mongo-feed-sequence.ts';
import type { TenantEvent } from '../../intake/domain/tenant-event.ts';
import type { WebhookStores } from '../../ports.ts';
import { dyingAfter } from '../../testing/mongo-faults.ts';
import { acceptIn, EVERY_EVENT, eventFor } from '../../testing/webhook-fixtures.ts';

const DEADLINE_MS = 15_000;

let opened: TestDatabase;
let databases: MongoDatabase[];
let replicas: WebhookStores[];
let stores: WebhookStores;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
  databases = [opened.database, await opened.second(), await opened.second()];
  replicas = databases.map(openMongoStores);
  [stores] = replicas as [WebhookStores];
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

const accept = (replica: WebhookStores | undefined, event: TenantEvent) =>
  replica && acceptIn(replica.intake, event, Date.now(), () => null);

/** Brings an event again, as the log does, when it could not be stored. */
async function untilAccepted(replica: WebhookStores | undefined, event: TenantEvent): Promise<void> {
  for (let isStored = false; !isStored; ) {
    isStored = await Promise.resolve(accept(replica, event)).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === '50301') return false;
        throw error;
      },
    );
  }
}

const stampOf = async ({ tenantId, eventId }: TenantEvent) =>
  (await collectionOf(opened.database, events).findOne({ _id: eventKey(tenantId, eventId) }))?.fed_at;

/** Reads on from where it was. */
class Reader {
  readonly seen: string[] = [];
  #after: string | undefined;

  /** Reads one page. @returns the ids of its events */
  async read(): Promise<readonly string[]> {
    const from = this.#after === undefined ? { since: null } : { after: this.#after };
    const { events: found, next } = await stores.feed.page('tnt_one', from, EVERY_EVENT, 7);
    this.#after = next;
    const ids = found.map(({ eventId }) => eventId);
    this.seen.push(...ids);
    return ids;
  }

  /** Reads until it has seen all of these. */
  async until(wanted: readonly TenantEvent[]): Promise<void> {
    const end = Date.now() + DEADLINE_MS;
    while (!wanted.every(({ eventId }) => this.seen.includes(eventId))) {
      if (Date.now() > end) throw new Error(`Only ${new Set(this.seen).size} of ${wanted.length} events were seen`);
      await this.read();
      await pause(20);
    }
  }
}

/** Has the inserts of events of a process begin only when `before` has come to its end. @returns ends that */
function delayInserts(database: MongoDatabase | undefined, before: (fedAt: number) => Promise<unknown>): () => void {
  const writer = collectionOf(database as MongoDatabase, events);
  const insertMany = writer.insertMany.bind(writer);
  writer.insertMany = async (...given) => {
    await before((given[0][0] as EventDocument).fed_at);
    return insertMany(...given);
  };
  return () => {
    writer.insertMany = insertMany;
  };
}

/** Takes an event in whose stamp is later, though each process has its own estimate of the time. */
async function acceptedBehind(fedAt: number): Promise<TenantEvent> {
  for (const end = Date.now() + DEADLINE_MS; ; ) {
    expect(Date.now()).toBeLessThan(end);
    const later = eventFor('tnt_one', 'FC2');
    await accept(stores, later);
    if (Number(await stampOf(later)) > fedAt) return later;
  }
}

/** Stores an event only after a reader has seen one that has a later stamp. */
async function overtaken(reader: Reader, first: TenantEvent, taking: (event: TenantEvent) => Promise<unknown> | undefined): Promise<void> {
  const restore = delayInserts(databases[1], async (fedAt) => reader.until([await acceptedBehind(fedAt)]));
  try {
    await taking(first);
    // On a busy machine the caller may have stopped waiting before the insert took place.
    for (const end = Date.now() + DEADLINE_MS; (await stampOf(first)) === undefined && Date.now() < end; ) await pause(20);
  } finally {
    restore();
  }
}

describe('an event that is stored after a reader has passed its place', () => {
  test('is read all the same: its writer gives it a new one', async () => {
    const [reader, first] = [new Reader(), eventFor('tnt_one', 'FC1')];
    await overtaken(reader, first, (event) => untilAccepted(replicas[1], event));
    expect(reader.seen).not.toContain(first.eventId);
    await reader.until([first]);
  });

  test('is read once it has come again, when its writer has died', async () => {
    const [reader, first] = [new Reader(), eventFor('tnt_one', 'FC1')];
    const dying = openMongoStores(dyingAfter(databases[1] as MongoDatabase, 0, true));
    await overtaken(reader, first, async (event) => {
      await expect(accept(dying, event)).rejects.toMatchObject({ code: '50301' });
    });
    expect(await stampOf(first)).toBeGreaterThan(0);
    expect(await reader.read()).toEqual([]);
    await accept(replicas[2], first);
    await reader.until([first]);
  });
});

test('an event that comes twice in short order has one place, and is read once', async () => {
  const [reader, event, last] = [new Reader(), eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1')];
  await accept(stores, event);
  const stamp = await stampOf(event);
  await Promise.all(replicas.map((replica) => accept(replica, event)));
  expect(await stampOf(event)).toBe(stamp);
  await accept(stores, last);
  await reader.until([last]);
  expect(reader.seen).toEqual([event.eventId, last.eventId]);
});

test('a test event that comes twice stays out of the feed', async () => {
  const given = { parcel: null, test: true, about: 'ep_1' } as const;
  const [reader, event, last] = [new Reader(), eventFor('tnt_one', '', given), eventFor('tnt_one', 'FC1')];
  for (const replica of replicas) await accept(replica, event);
  await accept(stores, last);
  await reader.until([last]);
  expect(reader.seen).toEqual([last.eventId]);
});

test('a reader misses nothing of writers that are slow at times', async () => {
  const slow = FEED_SETTLE_MS / 2;
  const restores = databases.map((database) =>
    delayInserts(database, () => (Math.random() < 0.3 ? pause(slow / 3 + Math.random() * slow) : Promise.resolve())),
  );
  const reader = new Reader();
  const all = Array.from({ length: 120 }, (_, index) => eventFor('tnt_one', `FC${index % 40}`));
  try {
    const writing = all.map(async (event, index) => {
      await pause(index * 40);
      await untilAccepted(replicas[index % 3], event);
    });
    await Promise.all([...writing, reader.until(all)]);
  } finally {
    for (const restore of restores) restore();
  }
  expect(new Set(reader.seen)).toEqual(new Set(all.map(({ eventId }) => eventId)));
}, 60_000);
