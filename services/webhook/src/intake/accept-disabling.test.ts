import { describe, expect, test } from '@jest/globals';
import { endpoint, world } from '../testing/intake-world.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';

const other = endpointFor('tnt_one', { endpointId: 'ep_2' });

describe('the event that an endpoint was disabled', () => {
  const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', disablingToPublish: T0 - 500 } as const;

  test('goes to the others, from the time of the disabling', async () => {
    const { acceptance, received, plans } = world([disabled, other]);
    await acceptance.publishDisabled(disabled);
    expect(plans).toEqual([null, expect.objectContaining({ status: 'pending' })]);
    expect(received[0]).toMatchObject({ now: T0, event: { occurredAt: T0 - 500, about: 'ep_1', test: false } });
    expect(JSON.parse(received[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', reason: 'gone' } });
  });

  test('has one id, however often it is published, and another for another disabling or endpoint', async () => {
    const { acceptance, received } = world([]);
    const all = [disabled, disabled, { ...disabled, disablingToPublish: T0 }, { ...disabled, endpointId: 'ep_2' }];
    for (const one of all) await acceptance.publishDisabled(one);
    const [first, again, ...others] = received.map(({ event }) => event.eventId);
    expect(first).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});
