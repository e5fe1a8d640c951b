import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@parcelway/kernel/back-off';
import { type ListenRequest, type ListenResult, type Parcelway, ParcelwayError } from '@parcelway/sdk';
import { forwardWebhook, LocalProgramError, type Message } from './forward-webhook.ts';
import type { Note } from './listen-notes.ts';

/** What {@link listen} needs. */
export interface ListenOptions {
  readonly parcelway: Parcelway;
  /** Called for everything that happens. */
  readonly note: (note: Note) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Address of the local program. */
  readonly forwardTo: string;
  /** Milliseconds that the local program has to respond; default 15 s, as receivers have in production. */
  readonly deadlineMs?: number;
  /** Milliseconds before each retry of a local program that does not respond; default 1, 2 and 4 s. */
  readonly localWaitsMs?: readonly number[];
  /** Milliseconds for which the signatures of a response are used; default 4 minutes, as receivers refuse signatures older than 5. */
  readonly signedForMs?: number;
  /** Milliseconds for which the platform may be unavailable; default 10 minutes. */
  readonly maxOutageMs?: number;
}

/** What to listen to. */
export type ListenChoice = Pick<ListenRequest, 'endpoint_id' | 'event_types'>;

/** Wait of the first request: short, so that the secret is shown at once. */
const SHORT_WAIT_S = 1;
const WAIT_S = 20;
/** Longer than the wait, after which the platform responds in any case. */
const CALL_MS = 30_000;
const DEADLINE_MS = 15_000;
const LOCAL_WAITS_MS = [1000, 2000, 4000];
const SIGNED_FOR_MS = 240_000;
const MAX_OUTAGE_MS = 600_000;
/** Event ids that are remembered, because the platform may send an event again after a failure. More than one response holds. */
const MAX_REMEMBERED = 1000;
const BACK_OFF = { firstMs: 1000, maxMs: 15_000 };

/** Results of the events. */
interface Counts {
  accepted: number;
  refused: number;
  skipped: number;
}

/** Calls the platform and retries during outages. @throws ParcelwayError when it refuses or the outage lasts too long; the reason of the signal */
async function ask(deps: ListenOptions, request: ListenRequest): Promise<ListenResult> {
  const end = Date.now() + (deps.maxOutageMs ?? MAX_OUTAGE_MS);
  for (let failures = 0; ; failures += 1) {
    try {
      // After an outage the wait is short, so that the end of the outage is shown at once.
      const asked = failures > 0 ? { ...request, wait: SHORT_WAIT_S } : request;
      const response = await deps.parcelway.sandbox.listen(asked, { signal: deps.signal, timeoutMs: CALL_MS, maxRetries: 0 });
      if (failures > 0) deps.note({ type: 'platform_back' });
      return response;
    } catch (error) {
      if (!(error instanceof ParcelwayError) || !error.isPassing) throw error;
      const pause = Math.max(backOffMs(BACK_OFF, failures + 1), (error.retryAfter ?? 0) * 1000);
      if (Date.now() + pause >= end) throw error;
      deps.note({ type: 'platform_away', reason: error.message, retry_in_ms: pause });
      await wait(pause, undefined, { signal: deps.signal });
    }
  }
}

/** Forwards one webhook; retries a few times when the local program does not respond. */
async function passOn(deps: ListenOptions, message: Message, counts: Counts): Promise<void> {
  const { forwardTo, deadlineMs = DEADLINE_MS, note, signal, localWaitsMs = LOCAL_WAITS_MS } = deps;
  const { event_id, event_type } = message;
  note({ type: 'event', event_id, event_type });
  for (let tries = 0; ; tries += 1) {
    try {
      const { status, statusText, durationMs } = await forwardWebhook(forwardTo, message, { deadlineMs, signal });
      note({ type: 'response', event_id, status, status_text: statusText, duration_ms: durationMs });
      counts[status >= 200 && status < 300 ? 'accepted' : 'refused'] += 1;
      return;
    } catch (error) {
      if (!(error instanceof LocalProgramError)) throw error;
      const pause = localWaitsMs[tries];
      note({ type: 'local_program_away', event_id, reason: error.message, retry_in_ms: pause ?? null });
      if (pause === undefined) {
        counts.skipped += 1;
        return;
      }
      await wait(pause, undefined, { signal });
    }
  }
}

/** Forwards the webhooks of one response after another. */
async function listenOn(deps: ListenOptions, choice: ListenChoice, counts: Counts): Promise<never> {
  const { signedForMs = SIGNED_FOR_MS } = deps;
  const first = await ask(deps, { ...choice, wait: SHORT_WAIT_S });
  deps.note({ type: 'ready', secret: first.secret, endpoint_id: choice.endpoint_id ?? null, forward_to: deps.forwardTo });
  let { messages, next_cursor: next } = first;
  let after = next;
  const done = new Set<string>();
  for (;;) {
    const end = Date.now() + signedForMs;
    // One after the other: the local program gets events in their order.
    for (const message of messages) {
      if (done.has(message.event_id)) continue;
      await passOn(deps, message, counts);
      done.add(message.event_id);
      if (Date.now() > end) break;
    }
    // With a slow program some may be left: they are fetched again, to get a new signature.
    if (messages.every(({ event_id }) => done.has(event_id))) {
      after = next;
      for (const oldest of done) if (done.size > MAX_REMEMBERED) done.delete(oldest);
    }
    ({ messages, next_cursor: next } = await ask(deps, { ...choice, after, wait: WAIT_S }));
  }
}

/**
 * Forwards the webhooks of a tenant to a local program until the signal aborts.
 * @throws ParcelwayError when the platform refuses, or is unavailable for too long
 */
export async function listen(deps: ListenOptions, choice: ListenChoice): Promise<void> {
  const counts: Counts = { accepted: 0, refused: 0, skipped: 0 };
  try {
    await listenOn(deps, choice, counts);
  } catch (error) {
    if (!deps.signal.aborted) throw error;
  } finally {
    deps.note({ type: 'end', ...counts });
  }
}
