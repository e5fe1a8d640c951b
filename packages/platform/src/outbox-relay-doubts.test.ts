import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { MemoryCollection } from '@parcelway/mongo/testing/mongo-memory-collection';
import { failOnce, memoryOutbox, message } from '@parcelway/mongo/testing/mongo-memory-outbox';
import { createOutboxRelay, type OutboxRelay } from './outbox-relay.ts';

/* Nobody but the store notifies the relay here: its writers do so only of writes that succeed. */

let memory: MemoryCollection;
let outbox: MongoOutbox;
let relay: OutboxRelay;
let published: string[];
const clock = new ManualClock(1000);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Lets so much time pass, and what becomes due happen. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await jest.advanceTimersByTimeAsync(ms);
  await turn();
  await jest.advanceTimersByTimeAsync(0);
}
const insert = (id: string): Promise<void> => outbox.insert([{ _id: id, ...outbox.holding([message(id)], clock.now()) }]);

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  memory = new MemoryCollection();
  outbox = memoryOutbox(memory, clock);
  published = [];
  const publish = async (messages: readonly EncodedMessage[]): Promise<void> => {
    published.push(...messages.map(({ value }) => value));
  };
  relay = createOutboxRelay({ source: outbox, publish, logger: silentLogger, clock });
  relay.start();
  // Nothing comes: the relay looks every four seconds from here on.
  await pass(20_500);
});
afterEach(async () => {
  await relay.stop();
  jest.useRealTimers();
});

test('a message of a write whose response is lost is published at once, although nothing came before', async () => {
  memory.made = failOnce();
  await expect(insert('a')).rejects.toMatchObject({ code: '50301' });
  await pass(0);
  expect(published).toEqual(['a']);
});

test('one of a write that is acknowledged after its deadline is published then', async () => {
  let acknowledge = (): void => undefined;
  memory.received = (command) =>
    command === 'insert'
      ? new Promise((resolve) => {
          acknowledge = resolve;
        })
      : Promise.resolve();
  const failure = expect(insert('a')).rejects.toMatchObject({ code: '50301' });
  await pass(5001);
  await failure;
  // Between two looks.
  await pass(300);
  expect(published).toEqual([]);
  acknowledge();
  await turn();
  await pass(0);
  expect(published).toEqual(['a']);
});

test('one of a write that happens later than it failed is found within a second', async () => {
  memory.received = failOnce();
  await expect(insert('a')).rejects.toMatchObject({ code: '50301' });
  await pass(0);
  memory.documents.set('b', { _id: 'b', outbox: [{ ...message('b'), id: 'b1' }], outbox_due: 1, outbox_since: 1 });
  outbox.noteWaiting();
  await pass(1000);
  expect(published).toEqual(['b']);
});
