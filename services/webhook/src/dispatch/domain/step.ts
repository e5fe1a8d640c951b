import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { type AttemptResult, isOfFormerReceiver } from '../../queue/domain/attempt.ts';
import type { DispatchEffect, DispatchEvent, RunningAttempt } from './dispatch-events.ts';
import { type DispatchState, forgetLane, forgetUnused, MAX_RUNNING, MAX_UNRECORDED, openLane, SHARED_RUNNING } from './dispatch-state.ts';
import { Interruption } from './interruption.ts';
import type { Lane } from './lane.ts';

/** An attempt starts only while its lease lasts at least this much longer: its deadline and the recording. */
export const MIN_LEASE_LEFT_MS = 20_000;

interface Context {
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
  const context: Context = { state, now, effects: [] };
  switch (event.type) {
    case 'leased':
      arrive(context, event.leased, event.asked);
      if (event.waiting) noteWaiting(context, event.waiting);
      break;
    case 'attempted':
      finish(context, event.attempt, event.result, random);
      afterAttempt(context, event.attempt);
      break;
    case 'postponed':
      forget(context, event.attempt, event.until);
      afterAttempt(context, event.attempt);
      break;
    case 'crashed':
      state.known.delete(event.attempt.leased.delivery.deliveryId);
      afterAttempt(context, event.attempt);
      break;
    case 'recorded':
      recorded(context, event.results);
      break;
    case 'endpoint_changed':
      endpointChanged(context, event.endpoint);
      break;
    case 'endpoint_removed':
      endpointRemoved(context, event.endpointId);
      break;
    case 'token_decided':
      tokenDecided(context, event.lane, event.allowed, event.waitMs);
      break;
    case 'timer':
      if (event.purpose === 'token') event.lane.token = 'none';
      else if (event.lane.resumesAt === event.at) event.lane.resumesAt = 0;
      review(context, event.lane);
      break;
    case 'polled':
      forgetUnused(state, now);
      break;
    case 'turns':
      break;
    case 'stopping':
      state.phase = 'stopping';
      break;
    case 'stopped':
      stopped(context);
      break;
    case 'deadline':
      interrupt(context, [...state.lanes.values()]);
  }
  takeTurns(context);
  return context.effects;
}

function arrive(context: Context, leased: readonly LeasedDelivery[], asked: ReadonlyMap<string, number> | undefined): void {
  const { state, now, effects } = context;
  const lanes = new Set<Lane>();
  const got = new Map<string, number>();
  for (const one of leased) {
    const { endpointId } = one.endpoint;
    if (asked) got.set(endpointId, (got.get(endpointId) ?? 0) + 1);
    if (state.known.has(one.delivery.deliveryId)) continue;
    const until = one.endpoint.payload === 'full' ? state.full.waitsUntil(one, now) : undefined;
    if (state.phase === 'stopped') effects.push({ type: 'release', leased: [one] });
    else if (until !== undefined) effects.push({ type: 'postpone', leased: one, until });
    else {
      const lane = openLane(state, one.endpoint, now);
      state.known.add(one.delivery.deliveryId);
      lane.queue.push(one);
      lanes.add(lane);
    }
  }
  for (const [endpointId, count] of asked ?? []) {
    const lane = state.lanes.get(endpointId);
    if (lane) lane.backlog = (got.get(endpointId) ?? 0) >= count;
  }
  for (const lane of lanes) review(context, lane);
}

/** Has those fetched that are in the store because there was no room for them. */
function noteWaiting({ state, now, effects }: Context, endpointIds: ReadonlySet<string>): void {
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
function review(context: Context, lane: Lane): void {
  const { surplus, canStart, resumeAt } = lane.review(context.now);
  giveBack(context, lane, surplus);
  if (context.state.phase === 'stopped' || lane.inLine) return;
  if (canStart) {
    lane.inLine = true;
    context.state.line.push(lane);
  } else if (resumeAt !== undefined) {
    lane.resumesAt = resumeAt;
    context.effects.push({ type: 'set_timer', lane, purpose: 'pause', at: resumeAt });
  }
}

/** Starts as many attempts as there are places for, one a lane in turn. */
function takeTurns(context: Context): void {
  const { state } = context;
  const passed: Lane[] = [];
  let goesOn = true;
  while (goesOn && state.line.length > 0 && hasPlace(state)) {
    const lane = state.line.shift() as Lane;
    if (mustWait(state, lane)) {
      passed.push(lane);
      continue;
    }
    lane.inLine = false;
    goesOn = startNext(context, lane);
    review(context, lane);
  }
  if (passed.length > 0) state.line = [...passed, ...state.line];
}

function hasPlace({ phase, running, unrecorded }: DispatchState): boolean {
  return phase === 'running' && running < MAX_RUNNING && unrecorded < MAX_UNRECORDED;
}

/** True when a lane leaves what is free to others. One with nothing running waits for no receiver of another. */
function mustWait({ running, full }: DispatchState, lane: Lane): boolean {
  const isFirst = lane.running.size === 0;
  if (running >= SHARED_RUNNING && !isFirst) return true;
  return lane.endpoint.payload === 'full' && full.mustWait(lane.next, isFirst);
}

/** Starts the attempt of a lane, if it has one and a token for it. @returns whether the turns may go on before it is performed */
function startNext(context: Context, lane: Lane): boolean {
  const { state, now, effects } = context;
  if (!lane.canStart(now) || !holdsToken(context, lane)) return true;
  // What has waited here for too long is leased anew.
  giveBack(context, lane, lane.takeStale(now + MIN_LEASE_LEFT_MS));
  // The one behind it may need what the stale one did not.
  const leased = mustWait(state, lane) ? undefined : lane.takeNext();
  if (!leased) {
    lane.token = 'there';
    return true;
  }
  const interruption = new Interruption();
  lane.running.add(interruption);
  state.running += 1;
  const heldBack = lane.hasHeldBack(leased.origin.occurredAt);
  effects.push({ type: 'attempt', attempt: { lane, leased, heldBack, interruption } });
  if (leased.endpoint.payload !== 'full' || !state.full.concerns(leased)) return true;
  effects.push({ type: 'go_on' });
  return false;
}

/** Takes the right to one attempt under the rate limit. @returns false when it is asked for; the lane goes on when it is decided */
function holdsToken({ effects }: Context, lane: Lane): boolean {
  const { rateLimit } = lane.endpoint;
  if (rateLimit === null) return true;
  if (lane.token === 'there') {
    lane.token = 'none';
    return true;
  }
  lane.token = 'awaited';
  effects.push({ type: 'take_token', lane, perSecond: rateLimit });
  return false;
}

function tokenDecided(context: Context, lane: Lane, allowed: boolean, waitMs: number): void {
  if (!allowed) {
    context.effects.push({ type: 'set_timer', lane, purpose: 'token', at: context.now + waitMs });
    return;
  }
  lane.token = 'there';
  review(context, lane);
}

function finish(context: Context, attempt: RunningAttempt, result: AttemptResult, random: number): void {
  const { state, now, effects } = context;
  const { lane, heldBack, interruption } = attempt;
  if ((interruption.done && result.status !== 'succeeded') || isOfFormerReceiver(result, lane.endpoint)) {
    // Ended by us, not by the receiver: not an attempt that says anything.
    forget(context, attempt);
    return;
  }
  effects.push({ type: 'report', result, heldBack });
  const restraint = lane.learn(result, now, random);
  effects.push({ type: 'record', result: restraint ? { ...result, restraint } : result });
  state.unrecorded += 1;
  if (restraint?.circuit) effects.push({ type: 'circuit_opened', endpoint: lane.endpoint, circuit: restraint.circuit });
}

/** Gives back the lease of an attempt that was none: the endpoint is not judged by it. */
function forget({ state, effects }: Context, { lane, leased }: RunningAttempt, until?: number): void {
  state.known.delete(leased.delivery.deliveryId);
  if (!lane.removed) effects.push({ type: 'release', leased: [leased], ...(until !== undefined && { until }) });
}

function afterAttempt(context: Context, { lane, interruption }: RunningAttempt): void {
  const { state, effects } = context;
  lane.running.delete(interruption);
  state.running -= 1;
  if (state.phase !== 'running') return;
  review(context, lane);
  if (lane.needsRefill) effects.push({ type: 'refill', endpointId: lane.endpoint.endpointId });
  if (lane.isIdle || (lane.removed && lane.isEmpty)) forgetLane(state, lane);
}

function recorded({ state, effects }: Context, results: readonly AttemptResult[]): void {
  let next = Number.POSITIVE_INFINITY;
  for (const { leased, nextAttemptAt } of results) {
    state.known.delete(leased.delivery.deliveryId);
    if (nextAttemptAt !== null) next = Math.min(next, nextAttemptAt);
  }
  state.unrecorded -= results.length;
  if (Number.isFinite(next)) effects.push({ type: 'look_at', at: next });
}

function endpointChanged(context: Context, endpoint: Endpoint): void {
  const { state, now, effects } = context;
  const lane = state.lanes.get(endpoint.endpointId);
  if (endpoint.status === 'enabled') effects.push({ type: 'look_at', at: now });
  // What was read before a change may arrive after it.
  if (!lane || endpoint.updatedAt < lane.endpoint.updatedAt) return;
  lane.change(endpoint);
  if (endpoint.status === 'disabled') drop(state, lane);
  else review(context, lane);
}

function endpointRemoved(context: Context, endpointId: string): void {
  const lane = context.state.lanes.get(endpointId);
  if (!lane) return;
  lane.removed = true;
  drop(context.state, lane);
  interrupt(context, [lane]);
}

function stopped(context: Context): void {
  const { state } = context;
  state.phase = 'stopped';
  state.line = [];
  for (const lane of state.lanes.values()) giveBack(context, lane, lane.queue.splice(0));
}

/** What a slow endpoint keeps in memory is missing to all others. */
function giveBack({ state, effects }: Context, lane: Lane, leased: readonly LeasedDelivery[]): void {
  if (leased.length === 0) return;
  for (const { delivery } of leased) state.known.delete(delivery.deliveryId);
  lane.backlog = true;
  effects.push({ type: 'release', leased });
}

function drop({ known }: DispatchState, lane: Lane): void {
  for (const { delivery } of lane.queue.splice(0)) known.delete(delivery.deliveryId);
  lane.backlog = false;
}

function interrupt({ effects }: Context, lanes: readonly Lane[]): void {
  const interruptions = lanes.flatMap(({ running }) => [...running]);
  if (interruptions.length > 0) effects.push({ type: 'interrupt', interruptions });
}
