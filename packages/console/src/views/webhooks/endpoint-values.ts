import type { AttemptErrorCode, Delivery, DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import type { EndpointFilter, EndpointPayload, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import type { EndpointFigures } from '@parcelway/contracts/webhook-figures-api';
import { fill, nameIn } from '@parcelway/page/languages';
import { choices, type FieldOf, text, type ValuesOf } from '../../data/body.ts';
import { absoluteTime, isNow, relativeTime } from '../../format.ts';
import type { Messages } from '../../messages/words.ts';
import type { DayAmount } from '../../parts/chart-scale.ts';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The filter that a text stands for; undefined when it is no JSON object. What it may hold the platform judges. */
export function filterOf(text: string): EndpointFilter | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as EndpointFilter) : undefined;
  } catch {
    return undefined;
  }
}

const recordOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));

/** JSON; empty for no filter. */
const filter: FieldOf<string> = {
  read: (value = {}) => (Object.keys(value as object).length === 0 ? '' : JSON.stringify(value, null, 2)),
  write: (typed) => filterOf(typed) ?? {},
};

/** Undefined keeps the stored headers; the page does not know their values. */
const headers: FieldOf<readonly Pair[] | undefined> = {
  read: (value = {}) => (Object.keys(value as object).length === 0 ? [] : undefined),
  write: (pairs) => pairs && recordOf(pairs),
};

const metadata: FieldOf<readonly Pair[]> = {
  read: (value = {}) => Object.entries(value as Record<string, string>).map(([name, each]) => ({ name, value: each })),
  write: recordOf,
};

/** A number; empty for none. What is no number goes as it is: the platform says what is allowed. */
const rateLimit: FieldOf<string> = { read: text.read, write: (typed) => (typed.trim() === '' ? null : Number(typed)) };
const payload: FieldOf<EndpointPayload> = { read: (value = 'thin') => value as EndpointPayload, write: (typed) => typed };

/** An endpoint as its form has it. */
export const endpointFields = {
  url: text,
  description: text,
  event_types: choices(tenantEventTypes),
  filter,
  rate_limit: rateLimit,
  payload,
  headers,
  metadata,
};
export type EndpointValues = ValuesOf<typeof endpointFields>;

/** Problems of an endpoint, the most urgent first; empty for a healthy one. @param now epoch milliseconds */
export function stateSentences(
  { status, disabled_reason, pause_end_time, health }: WebhookEndpoint,
  { t, locale }: { readonly t: Messages; readonly locale: string },
  now: number,
): string[] {
  const when = (at: string): string => relativeTime(Date.parse(at), now, locale);
  if (status === 'disabled') return [t.endpoint.disabledBecause[disabled_reason ?? 'tenant'] ?? String(disabled_reason)];
  const said: string[] = [];
  if (status === 'paused' && pause_end_time !== null) said.push(fill(t.endpoint.pausedUntil, when(pause_end_time)));
  if (health.failing_since !== null) {
    const at = absoluteTime(Date.parse(health.failing_since), locale);
    said.push(fill(t.endpoint.failingSince, at, when(health.failing_since)));
  }
  const slowed = health.slowdown_end_time;
  // The page may be out of date, so an end around now is left out.
  if (slowed !== null && Date.parse(slowed) > now && !isNow(Date.parse(slowed), now)) said.push(fill(t.endpoint.slowedUntil, when(slowed)));
  if (health.disable_time !== null) said.push(fill(t.endpoint.disableAt, when(health.disable_time)));
  return said;
}

/** What became of attempts, day by day, oldest first. */
interface EndpointRates {
  /** Of the attempts of a day the part that succeeded, 0 to 1. */
  readonly success: readonly DayAmount[];
  readonly attempts: readonly DayAmount[];
  /** Milliseconds that 95 of 100 attempts of a day took at most. */
  readonly duration: readonly DayAmount[];
}

export function ratesOf({ days }: Pick<EndpointFigures, 'days'>): EndpointRates {
  return {
    success: days.map(({ date, attempts, succeeded }) => ({ day: date, amount: attempts === 0 ? null : succeeded / attempts })),
    attempts: days.map(({ date, attempts }) => ({ day: date, amount: attempts })),
    duration: days.map(({ date, duration_ms_p95 }) => ({ day: date, amount: duration_ms_p95 })),
  };
}

interface Share {
  readonly status: string;
  readonly count: number;
}

const ORDER = ['succeeded', 'failed', 'pending', 'held'];

/** How many deliveries have each status; those that none has are left out. Test events do not count. */
export function sharesOf(deliveries: readonly Delivery[]): readonly Share[] {
  const real = deliveries.filter(({ test }) => !test);
  return ORDER.map((status) => ({ status, count: real.filter((delivery) => delivery.status === status).length })).filter(
    ({ count }) => count > 0,
  );
}

/** Of the deliveries with a result, the part that succeeded, 0 to 1; undefined while there is no result. */
export function successRate(shares: readonly Share[]): number | undefined {
  const countOf = (wanted: string): number => shares.find(({ status }) => status === wanted)?.count ?? 0;
  const [succeeded, failed] = [countOf('succeeded'), countOf('failed')];
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed);
}

/** Where the platform's own sentence, which is English, says more than the code. */
const SAYS_MORE: ReadonlySet<string> = new Set<AttemptErrorCode>(['address_not_allowed', 'tls', 'failed']);

/** Why an attempt had no good response, in the reader's language; null when it had one. */
export function errorText(
  { error, error_code }: Pick<DeliveryAttempt, 'error' | 'error_code'>,
  words: Messages['delivery'],
): string | null {
  if (error === null) return null;
  const known = nameIn(words.errors, error_code ?? '', '');
  if (known === '') return fill(words.because, error);
  return SAYS_MORE.has(error_code ?? '') ? `${known} (${error})` : known;
}

/** Empty when the delivery has succeeded or nothing has gone wrong yet. */
export function lastFault(status: Delivery['status'], attempt: DeliveryAttempt | undefined, words: Messages['delivery']): string {
  if (status === 'succeeded' || attempt === undefined || attempt.outcome === 'succeeded') return '';
  const { status_code } = attempt;
  if (status_code === null) return errorText(attempt, words) ?? words.noResponse;
  const redirected = status_code >= 300 && status_code < 400;
  return [fill(words.becauseStatus, status_code), redirected ? words.redirect : ''].join(' ').trim();
}
