import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { createDisablings } from './notify-disablings.ts';

/** The disablings on one stored endpoint, undefined when it was deleted. */
function world(stored: Endpoint | undefined) {
  const state = { stored };
  const published: Endpoint[] = [];
  const changed: Endpoint[] = [];
  const disablings = createDisablings({
    endpoints: {
      async update(_tenantId, _endpointId, change) {
        if (state.stored) state.stored = change(state.stored);
        return state.stored;
      },
    },
    acceptance: { publishDisabled: async (endpoint) => void published.push(endpoint) },
    runner: { endpointChanged: (endpoint) => void changed.push(endpoint) },
    clock: new ManualClock(T0),
  });
  return { disablings, state, published, changed };
}

const disabled = endpointFor('tnt_one', { status: 'disabled', disabledReason: 'failing', disablingToPublish: T0 });

test('what is published is not to be published again', async () => {
  const { disablings, state, published } = world(disabled);
  await disablings.publish(disabled);
  expect(published).toEqual([disabled]);
  expect(state.stored?.disablingToPublish).toBeNull();
});

test('a later disabling is still to be published', async () => {
  const later = { ...disabled, disablingToPublish: T0 + 1 };
  const { disablings, state } = world(later);
  await disablings.publish(disabled);
  expect(state.stored).toBe(later);
});

const paused = endpointFor('tnt_one', { status: 'paused', pausedAt: T0 - MAX_PAUSE_MS });

test('a pause that has lasted too long ends as a disabling, which the dispatcher hears of', async () => {
  const { disablings, state, changed } = world(paused);
  await disablings.endPause(paused);
  expect(state.stored).toMatchObject({ status: 'disabled', disabledReason: 'pause_expired', disablingToPublish: T0 });
  expect(changed).toEqual([state.stored]);
});

test('a pause that is over, or has restarted, meanwhile changes nothing', async () => {
  for (const now of [endpointFor('tnt_one'), { ...paused, pausedAt: T0 - MAX_PAUSE_MS + 1 }]) {
    const { disablings, state } = world(now);
    await disablings.endPause(paused);
    expect(state.stored).toBe(now);
  }
});

test('an endpoint that was deleted meanwhile is none of the dispatcher’s', async () => {
  const { disablings, changed } = world(undefined);
  await disablings.endPause(paused);
  expect(changed).toHaveLength(0);
});
