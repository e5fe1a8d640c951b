import { describe, expect, test } from '@jest/globals';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { disable } from '../../endpoints/domain/disabling.ts';
import { isBodyFor, isEventFor } from '../../endpoints/domain/subscription.ts';
import { endpointFor, eventFor } from '../../testing/webhook-fixtures.ts';
import { disabledEventOf, testEventFor } from './tenant-event.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1' });

describe('who gets an event', () => {
  const weighed = eventFor('tnt_one', 'FC1', { fields: { po_number: 'PO-1', status: 3 } });
  const ended = eventFor('tnt_one', 'FC1', { type: 'tracking.changed', fields: { admin_status: 'Delivery Success', is_terminal: true } });
  const both = { ...endpoint, eventTypes: tenantEventTypes };

  test('is said by subscription and filter; a condition on a field that an event does not have leaves it alone', () => {
    expect([isEventFor(endpoint, weighed), isEventFor(endpoint, ended)]).toEqual([true, false]);
    const filters = [
      {},
      { is_terminal: true },
      { is_terminal: false },
      { status: [3, 4] },
      { status: 4 },
      { po_number: 'PO-2', is_terminal: true },
    ];
    expect(filters.map((filter) => [isEventFor({ ...both, filter }, weighed), isEventFor({ ...both, filter }, ended)])).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [true, true],
      [false, true],
      [false, true],
    ]);
  });

  test('a test event is for its endpoint alone, the news of a disabling for all others', () => {
    const other = { ...endpoint, endpointId: 'we_2', filter: { status: 7 } };
    const making = { eventId: 'evt_1', environment: 'sandbox', now: NOW } as const;
    const tested = testEventFor(endpoint, 'tracking.changed', making);
    expect([isEventFor(endpoint, tested), isEventFor(other, tested)]).toEqual([true, false]);
    expect(JSON.parse(tested.render(null))).toMatchObject({
      type: 'tracking.changed',
      data: { event_id: 'evt_1', test: true, environment: 'sandbox' },
    });
    const news = disabledEventOf(disable(endpoint, 'gone', NOW), making);
    expect([isEventFor(endpoint, news), isEventFor(other, news)]).toEqual([false, true]);
    expect(JSON.parse(news.render(null))).toMatchObject({ type: 'endpoint.disabled', data: { endpoint_id: 'we_1', reason: 'gone' } });
    // Who listens as an endpoint hears what it is sent.
    const stored = { type: news.type, body: news.render(null) };
    expect([isBodyFor(endpoint, stored), isBodyFor(other, stored)]).toEqual([false, true]);
  });
});
