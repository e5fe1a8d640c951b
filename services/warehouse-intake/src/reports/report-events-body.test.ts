import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { report } from '../testing/samples.ts';
import { eventsIn } from './report-events.ts';

const NO_OBJECT = 'The body must be an object. Send one event, or { "events": [ … ] }';
const NO_EVENT = 'The body is neither an event nor a list of events. Send one event, or { "events": [ … ] }';

describe('eventsIn', () => {
  test('reads one event and a list', () => {
    const event = report();
    expect(eventsIn(event)).toEqual([event]);
    expect(eventsIn({ events: [event, 1] })).toEqual([event, 1]);
    expect(eventsIn({ events: Array.from({ length: 500 }, () => event) })).toHaveLength(500);
  });

  test('leaves an incomplete single event to the judgement of events', () => {
    expect(eventsIn({ type: 'arrival' })).toHaveLength(1);
    expect(eventsIn({ event_id: 'e1' })).toHaveLength(1);
  });

  test.each([
    ['null', null, '', 'type', NO_OBJECT],
    ['nothing', undefined, '', 'type', NO_OBJECT],
    ['a string', 'events', '', 'type', NO_OBJECT],
    ['an array', [report()], '', 'type', NO_OBJECT],
    ['an empty object', {}, '', 'shape', NO_EVENT],
    ['an object of another kind', { parcels: [] }, '', 'shape', NO_EVENT],
    ['events that are no array', { events: report() }, 'events', 'type', 'events must be an array'],
    ['no events', { events: [] }, 'events', 'min_items', 'events must have at least 1 element'],
    ['501 events', { events: Array.from({ length: 501 }, () => 1) }, 'events', 'max_items', 'events must have at most 500 elements'],
  ])('refuses %s with 42201', (_name, body, field, rule, message) => {
    let thrown: unknown;
    try {
      eventsIn(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: '42201', data: { errors: [{ field, rule, message }] } });
  });
});
