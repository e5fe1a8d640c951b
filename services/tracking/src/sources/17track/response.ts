import { instantOf } from '../../watch/domain/node.ts';
import { cleanText, type Fields, fieldsOf, isFields, listOf } from '../fields.ts';
import type { PushedTrace } from '../push.ts';
import type { RefusalReason } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { timeOfEvent } from './event-time.ts';
import { carrierOf, listIn, numberOf } from './wire.ts';

/** Errors of the account or of 17TRACK itself, even when reported for a single number. Includes HTTP statuses. */
export const refusals17Track: ReadonlyMap<number, RefusalReason> = new Map([
  [401, 'access denied'],
  [429, 'throttled'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [-18010001, 'access denied'],
  [-18010002, 'access denied'],
  [-18010003, 'unavailable'],
  [-18010004, 'access denied'],
  [-18010005, 'access denied'],
  // The daily limit, and the quota.
  [-18019907, 'quota used up'],
  [-18019908, 'quota used up'],
  [-18019912, 'access denied'],
]);

/** The error of a number that has to be registered first. */
export const NOT_REGISTERED = -18019902;
/** Error codes that mean success: the number is registered already, or nothing is known of it yet. */
const successes: ReadonlySet<number> = new Set([-18019901, -18019909]);

/** An error, with the text of 17TRACK for the log. */
interface ResponseError {
  readonly code: number;
  readonly message: string;
}

/** Why 17TRACK did not do what was asked for one number. */
interface NumberError extends ResponseError {
  readonly trackingNumber: string;
}

/** A response, number by number. */
interface Response17Track {
  /** Numbers that 17TRACK took; `raw` is their `track_info`, null when nothing is known yet. A number may come once for each carrier. */
  readonly traces: readonly PushedTrace[];
  readonly errors: readonly NumberError[];
  readonly failure: ResponseError | undefined;
}

/** Most items that are read of one list. A call takes 40 numbers, and one number may be registered with several carriers. */
const MAX_ITEMS = 400;

function errorOf(code: unknown, message: unknown): ResponseError {
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? code : Number.NaN;
  return { code: number, message: cleanText(message, 200) };
}

/** The error of the whole: its code, or the first of `data.errors`, which 17TRACK fills for a request that it cannot read. */
function failureOf(response: Fields, errors: readonly unknown[]): ResponseError | undefined {
  if (response['code'] !== 0) return errorOf(response['code'], response['message']);
  const [error] = errors;
  return error === undefined ? undefined : errorOf(fieldsOf(error)['code'], fieldsOf(error)['message']);
}

/**
 * Splits the response to a call about several numbers, such as /register and /gettrackinfo. HTTP 200 says nothing of the single number.
 * "Already registered" and "no information yet" count as success with nothing known. Of the lists, `accepted` alone must be one: another that is
 * none is left out and does not cost the accepted numbers.
 * @param response `{ code, data: { accepted, rejected } }`
 * @throws Error with the reason when it is none
 */
export function split17TrackResponse(response: unknown): Response17Track {
  if (!isFields(response) || !Number.isSafeInteger(response['code'])) throw new Error('17TRACK: the response has no code');
  if (response['code'] === 0 && !isFields(response['data'])) throw new Error('17TRACK: the response has no data');
  const data = fieldsOf(response['data']);
  const [traces, errors]: [PushedTrace[], NumberError[]] = [[], []];
  const items = (list: readonly unknown[]): Fields[] =>
    list.slice(0, MAX_ITEMS).filter((item): item is Fields => isFields(item) && numberOf(item) !== '');
  for (const item of items(listIn(data['accepted'], 'data.accepted'))) {
    traces.push({ trackingNumber: numberOf(item), carrier: carrierOf(item), raw: item['track_info'] ?? null });
  }
  for (const item of items(listOf(data['rejected']))) {
    const error = errorOf(fieldsOf(item['error'])['code'], fieldsOf(item['error'])['message']);
    if (successes.has(error.code)) traces.push({ trackingNumber: numberOf(item), carrier: carrierOf(item), raw: null });
    else errors.push({ trackingNumber: numberOf(item), ...error });
  }
  return { traces, errors, failure: failureOf(response, listOf(data['errors'])) };
}

/** Instant of the newest news in a `track_info`, epoch milliseconds; minus infinity when there is none. */
function newestNewsOf({ raw }: PushedTrace): number {
  const time = timeOfEvent(fieldsOf(fieldsOf(raw)['latest_event']));
  return (time && instantOf(time.createTime, time.times)) ?? Number.NEGATIVE_INFINITY;
}

/**
 * The trace of a number among those of a response. One number comes several times when it was registered with several carriers, because it was
 * used again or its carrier was changed: the carrier that is asked for wins, where one is, then the newest news.
 */
export function trace17TrackOf(traces: readonly PushedTrace[], trackingNumber: string, carrier?: string): PushedTrace | undefined {
  const ofNumber = traces.filter((trace) => trace.trackingNumber === trackingNumber);
  const ofCarrier = carrier === undefined ? [] : ofNumber.filter((trace) => trace.carrier === carrier);
  return newestOf(ofCarrier.length > 0 ? ofCarrier : ofNumber, newestNewsOf);
}
