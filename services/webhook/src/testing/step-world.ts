import type { DispatchEffect, DispatchEvent, RunningAttempt } from '../dispatch/domain/dispatch-events.ts';
import { createDispatchState } from '../dispatch/domain/dispatch-state.ts';
import type { Lane } from '../dispatch/domain/lane.ts';
import { step } from '../dispatch/domain/step.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { endpointFor, leasedOf, resultOf, T0 } from './webhook-fixtures.ts';

type SetTimer = Extract<DispatchEffect, { type: 'set_timer' }>;

/** Steps without an executor: attempts end when a test says so, timers run when it passes time. */
export function world() {
  const waits = new Set<string>();
  const concerns = ({ endpoint }: LeasedDelivery): boolean => endpoint.payload === 'full';
  const mustWait = (one: LeasedDelivery | undefined): boolean => one !== undefined && waits.has(one.endpoint.endpointId);
  const state = createDispatchState({ concerns, mustWait, waitsUntil: () => undefined });
  const running: RunningAttempt[] = [];
  const effects: DispatchEffect[] = [];
  let timers: SetTimer[] = [];
  let now = T0;
  let deliveries = 0;
  const on = (event: DispatchEvent): void => {
    for (const effect of step(state, event, now, 0)) {
      effects.push(effect);
      if (effect.type === 'attempt') running.push(effect.attempt);
      if (effect.type === 'set_timer') timers.push(effect);
      if (effect.type === 'go_on') on({ type: 'turns' });
    }
  };
  const lease = (endpointId: string, count: number, given: Partial<Endpoint> = {}): Lane => {
    const endpoint = endpointFor('tnt_one', { endpointId, ...given });
    const leased = Array.from({ length: count }, () => {
      deliveries += 1;
      return { ...leasedOf({ deliveryId: `dlv_${deliveries}`, endpointId }), endpoint, leaseUntil: now + 60_000 };
    });
    on({ type: 'leased', leased });
    return state.lanes.get(endpointId) as Lane;
  };
  const pass = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    timers = timers.filter(({ at }) => at > now);
    for (const { lane, purpose, at } of due) on({ type: 'timer', lane, purpose, at });
  };
  const end = (attempt: RunningAttempt, status: 'succeeded' | 'failed' = 'succeeded'): void =>
    on({ type: 'attempted', attempt, result: resultOf(attempt.leased, status) });
  const started = (): string[] => running.map(({ lane }) => lane.endpoint.endpointId);
  const ofType = (type: DispatchEffect['type']) => effects.filter((effect) => effect.type === type);
  return { state, waits, running, timers: () => timers, on, lease, pass, end, started, ofType };
}
