import { expect, test } from '@jest/globals';
import { type FeedEvent, MOST_EVENTS, withNewer } from './feed-events.ts';

const event = (id: number): FeedEvent =>
  ({
    type: 'parcel.weighed',
    timestamp: '2026-11-21T08:00:00Z',
    data: { event_id: String(id) },
  }) as FeedEvent;
const ids = (events: readonly FeedEvent[]): number[] => events.map(({ data }) => Number(data.event_id));

test('the newest event comes first, and none twice', () => {
  const first = withNewer([event(1), event(2)], []);
  expect(ids(first)).toEqual([2, 1]);
  expect(ids(withNewer([event(2), event(3), event(4)], first))).toEqual([4, 3, 2, 1]);
});

test('the oldest events make room for newer ones', () => {
  const many = Array.from({ length: MOST_EVENTS }, (_, index) => event(index));
  const kept = ids(withNewer([event(MOST_EVENTS)], withNewer(many, [])));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([MOST_EVENTS, MOST_EVENTS, 1]);
});
