import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Carrier, HeldDocuments } from './mongo-outbox-held.ts';

/** A document with messages that were written at these times; the message of a time is its text. */
const carrier = (id: string, times: readonly number[], until = 100, lease = 'l1'): Carrier => ({
  _id: id,
  outbox: times.map((at) => ({ id: `e${at}`, topic: 't', key: 'k', value: String(at), at })),
  outbox_due: until,
  outbox_lease: lease,
});
describe('the documents that a process holds', () => {
  let held: HeldDocuments;
  beforeEach(() => {
    held = new HeldDocuments();
  });

  const values = (limit = 100): string[] => held.entries(limit).map(({ value }) => value);
  const ids = (limit = 100): string[] => held.entries(limit).map(({ id }) => id);

  test('are published in the order in which their messages were written, however they come', () => {
    held.keep([carrier('b', [2, 5]), carrier('a', [4])]);
    held.keep([carrier('c', [1])]);
    held.keep([carrier('d', [6])]);
    expect(values()).toEqual(['1', '2', '5', '4', '6']);
    expect(values(2)).toEqual(['1', '2']);
  });

  test('and released forget what was appended to them', () => {
    // Published before, and not removed yet: what is known of it can be seen.
    held.keep([carrier('a', [1])]);
    held.publish(ids());
    held.keep([carrier('a', [2], 100, 'l2')]);
    held.append('a');
    held.dropAll();
    expect([held.hasMore, held.takePublished().map(({ hasMore }) => hasMore)]).toEqual([false, [false]]);
  });

  test('and published before stay published until their new messages are, and are in the later lease then', () => {
    held.keep([carrier('a', [1])]);
    held.publish(ids());
    const taken = held.takePublished();
    held.keep([carrier('a', [2], 100, 'l2')]);
    held.putBack(taken);
    held.append('a');
    expect([held.takePublished(), held.hasMore, values()]).toEqual([[], false, ['2']]);
    held.publish(ids());
    expect(held.hasMore).toBe(true);
    const [one, ...others] = held.takePublished();
    expect([one?.entries.map(({ value }) => value), one?.lease, others]).toEqual([['1', '2'], 'l2', []]);
  });

  test('that could not be removed are in the later lease when more of them was published meanwhile', () => {
    held.keep([carrier('a', [1])]);
    held.publish(ids());
    const taken = held.takePublished();
    held.keep([carrier('a', [2], 100, 'l2')]);
    held.publish(ids());
    held.putBack(taken);
    expect(held.takePublished().map(({ lease, entries }) => [lease, entries.length])).toEqual([['l2', 2]]);
  });
});
