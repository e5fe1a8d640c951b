import Type, { type Static, type TObject } from 'typebox';

/** What is allowed to be called. Null where nothing limits it. */
export interface CallLimits {
  readonly requestsPerSecond: number | null;
  /** In a day that begins at 00:00 UTC. */
  readonly callsPerDay: number | null;
}

/** Fields of a ledger, as they are stored. Times in epoch milliseconds. */
export const ledgerFields = {
  /** Days since 1970 (UTC). */
  day: Type.Number(),
  /** Calls of that day. */
  used: Type.Number(),
  /** Before this time no call may begin: the rate. */
  nextCallAt: Type.Number(),
  /** Before this time no call may begin: the vendor refused the last one. */
  blockedUntil: Type.Number(),
  /** Before this time nothing may be registered: the quota of registrations is used up. */
  registrationsBlockedUntil: Type.Number(),
  /** When the vendor last pushed; 0 for never. */
  lastPushAt: Type.Number(),
};

/** What a connection has called. */
export type CallLedger = Readonly<Static<TObject<typeof ledgerFields>>>;

/** The ledger of a connection that has called nothing. */
export const EMPTY_LEDGER: CallLedger = {
  day: 0,
  used: 0,
  nextCallAt: 0,
  blockedUntil: 0,
  registrationsBlockedUntil: 0,
  lastPushAt: 0,
};

/** What a call is for. A query has somebody waiting; all else can be done later. */
export type CallPurpose = 'query' | 'background';

/** What a vendor is called for. */
export type CallKind = 'register' | 'query' | 'other';

/** Why a call has to wait. */
export type WaitReason = 'rate' | 'daily quota' | 'blocked';

/** Whether a call may be made. */
export type CallVerdict =
  /** At `at`, which may be a moment ahead. */
  { readonly isGranted: true; readonly at: number } | { readonly isGranted: false; readonly until: number; readonly reason: WaitReason };

/** A verdict, and the ledger after it. */
export interface CallDecision {
  readonly ledger: CallLedger;
  readonly verdict: CallVerdict;
}

const DAY_MS = 86_400_000;
/** Calls are this much further apart than the rate asks, so that a call that is late does not come too close to the next one. */
const SPACING = 1.25;
/** Background calls keep this share of a day's calls free for queries. */
const QUERY_SHARE = 0.2;
/** Background calls may be this far ahead of an even pace over the day. */
const AHEAD_MS = 3_600_000;

/** However low the rate, a call may be made after this time. */
const MAX_SPACING_MS = DAY_MS;
/** Nobody waits longer for a turn, and clocks agree within it. */
const LONGEST_WAIT_MS = 10_000;

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Calls of a day that the background may have made by `now`: an even pace, so that a rush in the morning leaves something for the evening. */
function backgroundAllowance(callsPerDay: number, now: number): number {
  const elapsed = Math.min(DAY_MS, (now % DAY_MS) + AHEAD_MS);
  return Math.max(1, Math.floor(callsPerDay * (1 - QUERY_SHARE) * (elapsed / DAY_MS)));
}

/** When the background may have made one call more than `used`. */
function backgroundReadyAt(callsPerDay: number, used: number, now: number): number {
  const perCall = DAY_MS / (callsPerDay * (1 - QUERY_SHARE));
  const readyAt = dayOf(now) * DAY_MS + Math.ceil((used + 1) * perCall) - AHEAD_MS;
  const tomorrow = (dayOf(now) + 1) * DAY_MS;
  return Math.min(tomorrow, Math.max(readyAt, now + 1000));
}

/** Time between two calls, milliseconds. @param requestsPerSecond null where nothing limits it */
function spacingOf(requestsPerSecond: number | null): number {
  return requestsPerSecond === null ? 0 : Math.min(MAX_SPACING_MS, Math.ceil((1000 * SPACING) / requestsPerSecond));
}

/** When the next call has its turn. Limits may change: a turn that is further ahead than this rate can set it comes from a lower one, and is void. */
function turnOf({ nextCallAt }: CallLedger, spacingMs: number, now: number): number {
  return nextCallAt > now + spacingMs + LONGEST_WAIT_MS ? now : Math.max(now, nextCallAt);
}

/** The refusal that is in force for a call; undefined without one. */
export function blockOf(ledger: CallLedger, kind: CallKind, now: number): CallVerdict | undefined {
  const until = Math.max(ledger.blockedUntil, kind === 'register' ? ledger.registrationsBlockedUntil : 0);
  return until > now ? { isGranted: false, until, reason: 'blocked' } : undefined;
}

/** A call that a connection is about to make. */
export interface WantedCall {
  readonly kind: CallKind;
  readonly purpose: CallPurpose;
  readonly now: number;
  /** A call that would have to wait longer for its turn is not granted. */
  readonly maxWaitMs: number;
}

/** Decides whether a connection may make a call, and counts it if so. Calls are spread evenly over the second, and the background's over the day. */
export function takeCall(
  ledger: CallLedger,
  { requestsPerSecond, callsPerDay }: CallLimits,
  { kind, purpose, now, maxWaitMs }: WantedCall,
): CallDecision {
  const block = blockOf(ledger, kind, now);
  if (block !== undefined) return { ledger, verdict: block };
  if (requestsPerSecond === null && callsPerDay === null) return { ledger, verdict: { isGranted: true, at: now } };
  // Clocks differ, and may be set back: a day that another process has begun is not ended by one that is behind.
  const day = Math.max(ledger.day, dayOf(now));
  const used = usedToday(ledger, now);
  const refuse = (until: number, reason: WaitReason): CallDecision => ({ ledger, verdict: { isGranted: false, until, reason } });
  if (callsPerDay !== null && used >= callsPerDay) return refuse((day + 1) * DAY_MS, 'daily quota');
  if (callsPerDay !== null && purpose === 'background' && used >= backgroundAllowance(callsPerDay, now)) {
    return refuse(backgroundReadyAt(callsPerDay, used, now), 'daily quota');
  }
  const spacingMs = spacingOf(requestsPerSecond);
  const at = turnOf(ledger, spacingMs, now);
  if (at - now > maxWaitMs) return refuse(at, 'rate');
  // A call that waits across midnight counts for the day on which it was granted: that day's count is never too low.
  const nextCallAt = requestsPerSecond === null ? ledger.nextCallAt : at + spacingMs;
  return { ledger: { ...ledger, day, used: used + 1, nextCallAt }, verdict: { isGranted: true, at } };
}

/** The ledger once the vendor has refused calls, or registrations alone. @param until when the next one may begin */
export function blockCalls(
  ledger: CallLedger,
  until: number,
  what: 'blockedUntil' | 'registrationsBlockedUntil' = 'blockedUntil',
): CallLedger {
  return until > ledger[what] ? { ...ledger, [what]: until } : ledger;
}

/** A push is written down at most once in this time. */
const PUSH_NOTE_MS = 60_000;

/** The ledger once the vendor has pushed; the same one when it was written down a moment ago. */
export function notePush(ledger: CallLedger, now: number): CallLedger {
  return now - ledger.lastPushAt < PUSH_NOTE_MS ? ledger : { ...ledger, lastPushAt: now };
}

/** Calls since 00:00 UTC. */
export function usedToday({ day, used }: CallLedger, now: number): number {
  return day >= dayOf(now) ? used : 0;
}
