import { describe, expect, test } from '@jest/globals';
import { useStores } from '../testing/stores-under-test.ts';
import { eventFor, planned, T0 } from '../testing/webhook-fixtures.ts';

const under = useStores();

describe('intake', () => {
  const { accept } = under;

  test('counts the events of a parcel without a gap, whatever comes twice or at once', async () => {
    const numbered = Array.from({ length: 6 }, () => eventFor('tnt_one', 'FC1'));
    // No number is looked up for the type that is expected to be the first.
    const events = numbered.map((event, place) => (place % 2 === 0 ? event : { ...event, type: 'forecast.accepted' as const }));
    const made = await Promise.all([...events, ...events].map((event) => accept(event, () => planned({ leaseUntil: T0 + 1 }))));
    const bodies = made.flat().map(({ leased }) => (JSON.parse(leased?.body ?? '{}') as { seq: number }).seq);
    expect(bodies.sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('stores the good events of a batch with one that is refused, in their order, also when it comes twice', async () => {
    const [first, bad, last] = [eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1')];
    const error = new Error('refused');
    const refuse = (): never => {
      throw error;
    };
    const plan = () => planned({ leaseUntil: T0 + 1 });
    const entries = [first, bad, bad, last].map((event) => ({ event, plan: event === bad ? refuse : plan }));
    const outcomes = await under.stores.intake.accept(entries, T0);
    expect(outcomes.slice(1, 3)).toEqual([{ error }, { error }]);
    const leased = outcomes.flatMap((outcome) => ('error' in outcome ? [] : outcome.deliveries.map((one) => one.leased)));
    expect(leased.map((one) => [one?.delivery.eventId, one?.body])).toEqual([
      [first.eventId, '{"seq":1}'],
      [last.eventId, '{"seq":2}'],
    ]);
  });

  test('stores an event without a parcel once, when it comes twice at once', async () => {
    const news = eventFor('tnt_one', '', { type: 'endpoint.disabled', parcel: null });
    const outcomes = await Promise.all([accept(news), accept(news), accept(eventFor('tnt_one', 'FC1'))]);
    expect(outcomes.map(({ length }) => length)).toEqual([1, 0, 1]);
  });
});
