import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { type AttemptResult, isOfFormerReceiver } from '../../queue/domain/attempt.ts';
import type { DispatchEffect, DispatchEvent, RunningAttempt } from './dispatch-events.ts';
import { type DispatchState, forgetNews, MAX_RUNNING, MAX_UNRECORDED, newestOf, SHARED_RUNNING } from './dispatch-state.ts';
import { Interruption } from './interruption.ts';
import { forgetLane, forgetUnused, type Lane, openLane } from './lane.ts';

/** An attempt starts only while its lease lasts at least this much longer: its deadline and the recording. */
export const MIN_LEASE_LEFT_MS = 20_000;

/** A step that is being taken: its event has been learnt, its effects are being collected. */
interface StepInProgress {
  readonly state: DispatchState;
  readonly now: number;
  readonly effects: DispatchEffect[];
}

/**
 * What follows from an event. Deterministic and without I/O: it changes nothing but the state that it is given.
 *
 * Each endpoint has a lane. Lanes take turns, one attempt a turn; a lane has a limit that follows how well its endpoint
 * responds. So a receiver that hangs holds up its own lane and nothing else.
 * @param now epoch milliseconds
 * @param random in [0, 1), for jitter
 */
export function step(state: DispatchState, event: DispatchEvent, now: number, random: number): readonly DispatchEffect[] {
  const current: StepInProgress = { state, now, effects: [] };
  switch (event.type) {
    case 'leased':
      arrive(current, event.leased, event.asked);
      if (event.waiting !== undefined && event.waiting.size > 0) noteWaiting(current, event.waiting);
      break;
    case 'attempted':
      finish(current, event.attempt, event.result, random);
      afterAttempt(current, event.attempt);
      break;
    case 'postponed':
      forget(current, event.attempt, event.until);
      afterAttempt(current, event.attempt);
      break;
    case 'crashed':
      state.known.delete(event.attempt.leased.delivery.deliveryId);
      afterAttempt(current, event.attempt);
      break;
    case 'recorded':
      recorded(current, event.results);
      break;
    case 'endpoint_changed':
      endpointChanged(current, event.endpoint);
      break;
    case 'endpoint_removed':
      endpointRemoved(current, event.endpointId);
      break;
    case 'token_decided':
      tokenDecided(current, event.lane, event.allowed, event.waitMs);
      break;
    case 'timer':
      if (event.purpose === 'token') event.lane.token = 'none';
      else if (event.lane.resumesAt === event.at) event.lane.resumesAt = 0;
      review(current, event.lane);
      break;
    case 'polled':
      forgetUnused(state.lanes, now);
      forgetNews(state, now);
      break;
    case 'stopping':
      state.phase = 'stopping';
      break;
    case 'stopped':
      stopped(current);
      break;
    case 'deadline':
      interrupt(current, [...state.lanes.values()]);
  }
  if (state.line.length > 0) takeTurns(current);
  return current.effects;
}

function arrive(current: StepInProgress, leased: readonly LeasedDelivery[], asked: ReadonlyMap<string, number> | undefined): void {
  const { state, now, effects } = current;
  const lanes = new Set<Lane>();
  const got = new Map<string, number>();
  for (const one of leased) {
    const { endpointId } = one.endpoint;
    if (asked) got.set(endpointId, (got.get(endpointId) ?? 0) + 1);
    if (state.known.has(one.delivery.deliveryId)) continue;
    const endpoint = newestOf(state, one.endpoint);
    const until = state.waitsUntil(one);
    // What a deleted endpoint had is deleted with it.
    if (state.phase === 'stopped' || endpoint === undefined) effects.push({ type: 'release', leased: [one] });
    else if (until !== undefined) effects.push({ type: 'postpone', leased: one, until });
    else {
      const lane = openLane(state.lanes, endpoint, now);
      state.known.add(one.delivery.deliveryId);
      lane.queue.push(one);
      lanes.add(lane);
    }
  }
  for (const [endpointId, count] of asked ?? []) {
    const lane = state.lanes.get(endpointId);
    if (lane) lane.backlog = (got.get(endpointId) ?? 0) >= count;
  }
  for (const lane of lanes) review(current, lane);
}

/** Has those fetched that are in the store because there was no room for them. */
function noteWaiting({ state, now, effects }: StepInProgress, endpointIds: ReadonlySet<string>): void {
  for (const endpointId of endpointIds) {
    const lane = state.lanes.get(endpointId);
    if (lane === undefined) effects.push({ type: 'look_at', at: now });
    else {
      lane.backlog = true;
      if (lane.isEmpty && state.phase === 'running') effects.push({ type: 'refill', endpointId });
    }
  }
}

/**
 * Brings a lane in order after something has changed: gives back what it has no place for, and puts it in line when it can start
 * an attempt. While deliveries were leased a circuit may have opened: what was to wait here for that would wait for ever.
 */
function review(current: StepInProgress, lane: Lane): void {
  const { surplus, canStart, resumeAt } = lane.review(current.now);
  if (surplus.length > 0) giveBack(current, lane, surplus);
  if (current.state.phase === 'stopped' || lane.inLine) return;
  if (canStart) {
    lane.inLine = true;
    current.state.line.push(lane);
  } else if (resumeAt !== undefined) {
    lane.resumesAt = resumeAt;
    current.effects.push({ type: 'set_timer', lane, purpose: 'pause', at: resumeAt });
  }
}

/** Starts as many attempts as there are places for, one a lane in turn. */
function takeTurns(current: StepInProgress): void {
  const { state } = current;
  const passed: Lane[] = [];
  while (state.line.length > 0 && hasPlace(state)) {
    const lane = state.line.shift() as Lane;
    // The last places are for lanes without a running attempt: a few slow receivers cannot take them all.
    if (state.running >= SHARED_RUNNING && lane.running.size > 0) {
      passed.push(lane);
      continue;
    }
    lane.inLine = false;
    startNext(current, lane);
    // With more that waits it goes to the end of the line.
    if (lane.queue.length > 0) review(current, lane);
  }
  if (passed.length > 0) state.line = [...passed, ...state.line];
}

function hasPlace({ phase, running, unrecorded }: DispatchState): boolean {
  return phase === 'running' && running < MAX_RUNNING && unrecorded < MAX_UNRECORDED;
}

/** Starts the attempt of a lane, if it has one and a token for it. */
function startNext(current: StepInProgress, lane: Lane): void {
  const { state, now, effects } = current;
  if (!lane.canStart(now) || (lane.endpoint.rateLimit !== null && !holdsToken(current, lane, lane.endpoint.rateLimit))) return;
  const stale = lane.takeStale(now + MIN_LEASE_LEFT_MS);
  // What has waited here for too long is leased again.
  if (stale.length > 0) giveBack(current, lane, stale);
  const leased = lane.takeNext();
  if (!leased) {
    lane.token = 'there';
    return;
  }
  const interruption = new Interruption();
  lane.running.add(interruption);
  state.running += 1;
  const heldBack = lane.hasHeldBack(leased.origin.occurredAt);
  effects.push({ type: 'attempt', attempt: { lane, leased, heldBack, interruption } });
}

/** Takes the right to one attempt under the rate limit. @returns false when it is asked for; the lane goes on when it is decided */
function holdsToken({ effects }: StepInProgress, lane: Lane, perSecond: number): boolean {
  if (lane.token === 'there') {
    lane.token = 'none';
    return true;
  }
  lane.token = 'awaited';
  effects.push({ type: 'take_token', lane, perSecond });
  return false;
}

function tokenDecided(current: StepInProgress, lane: Lane, allowed: boolean, waitMs: number): void {
  if (!allowed) {
    current.effects.push({ type: 'set_timer', lane, purpose: 'token', at: current.now + waitMs });
    return;
  }
  lane.token = 'there';
  review(current, lane);
}

function finish(current: StepInProgress, attempt: RunningAttempt, result: AttemptResult, random: number): void {
  const { state, now, effects } = current;
  const { lane, heldBack, interruption } = attempt;
  if (result.status !== 'succeeded' && (interruption.done || isOfFormerReceiver(result, lane.endpoint))) {
    // Ended by us, not by the receiver: not an attempt that says anything.
    forget(current, attempt);
    return;
  }
  const restraint = lane.learn(result, now, random);
  effects.push({ type: 'settle', result: restraint ? { ...result, restraint } : result, heldBack });
  state.unrecorded += 1;
  if (restraint?.circuit) effects.push({ type: 'circuit_opened', endpoint: lane.endpoint, circuit: restraint.circuit });
}

/** Gives back the lease of an attempt that was none: the endpoint is not judged by it. */
function forget({ state, effects }: StepInProgress, { lane, leased }: RunningAttempt, until?: number): void {
  state.known.delete(leased.delivery.deliveryId);
  if (!lane.removed) effects.push({ type: 'release', leased: [leased], ...(until !== undefined && { until }) });
}

function afterAttempt(current: StepInProgress, { lane, interruption }: RunningAttempt): void {
  const { state, effects } = current;
  lane.running.delete(interruption);
  state.running -= 1;
  if (state.phase !== 'running') return;
  review(current, lane);
  if (lane.needsRefill) effects.push({ type: 'refill', endpointId: lane.endpoint.endpointId });
  if (lane.isIdle || (lane.removed && lane.isEmpty)) forgetLane(state.lanes, lane);
}

function recorded({ state, effects }: StepInProgress, results: readonly AttemptResult[]): void {
  let next = Number.POSITIVE_INFINITY;
  for (const { leased, nextAttemptAt } of results) {
    state.known.delete(leased.delivery.deliveryId);
    if (nextAttemptAt !== null) next = Math.min(next, nextAttemptAt);
  }
  state.unrecorded -= results.length;
  if (Number.isFinite(next)) effects.push({ type: 'look_at', at: next });
}

function endpointChanged(current: StepInProgress, endpoint: Endpoint): void {
  const { state, now, effects } = current;
  const lane = state.lanes.get(endpoint.endpointId);
  if (endpoint.status === 'enabled') effects.push({ type: 'look_at', at: now });
  // What was read before a change may arrive after it.
  if (newestOf(state, endpoint) !== endpoint || (lane && endpoint.updatedAt < lane.endpoint.updatedAt)) return;
  note(state, endpoint.endpointId, { endpoint, at: now });
  if (!lane) return;
  lane.change(endpoint);
  if (endpoint.status === 'disabled') drop(state, lane);
  else review(current, lane);
}

/** Notes news of an endpoint, as the newest. */
function note({ news }: DispatchState, endpointId: string, of: { readonly endpoint: Endpoint | undefined; readonly at: number }): void {
  news.delete(endpointId);
  news.set(endpointId, of);
}

function endpointRemoved(current: StepInProgress, endpointId: string): void {
  note(current.state, endpointId, { endpoint: undefined, at: current.now });
  const lane = current.state.lanes.get(endpointId);
  if (!lane) return;
  lane.removed = true;
  drop(current.state, lane);
  interrupt(current, [lane]);
}

function stopped(current: StepInProgress): void {
  const { state } = current;
  state.phase = 'stopped';
  state.line = [];
  for (const lane of state.lanes.values()) if (lane.queue.length > 0) giveBack(current, lane, lane.queue.splice(0));
}

/** What a slow endpoint keeps in memory is missing to all others. */
function giveBack({ state, effects }: StepInProgress, lane: Lane, leased: readonly LeasedDelivery[]): void {
  for (const { delivery } of leased) state.known.delete(delivery.deliveryId);
  lane.backlog = true;
  effects.push({ type: 'release', leased });
}

function drop({ known }: DispatchState, lane: Lane): void {
  for (const { delivery } of lane.queue.splice(0)) known.delete(delivery.deliveryId);
  lane.backlog = false;
}

function interrupt({ effects }: StepInProgress, lanes: readonly Lane[]): void {
  const interruptions = lanes.flatMap(({ running }) => [...running]);
  if (interruptions.length > 0) effects.push({ type: 'interrupt', interruptions });
}
