import { isOptInType, type SentEventType } from '@parcelway/contracts/webhook-event-types';

/*
 * What an endpoint with `payload: full` is sent: the thin body, and in its `data` what the query returns at the moment of the attempt.
 */

/** Field of `data` that the full payload adds. */
export type FullPart = 'weighing' | 'tracking' | 'forecast';

/** Why a full payload is sent thin. */
export type FullOmission = 'too_large' | 'not_found' | 'unavailable';

/** A full body is not larger, in bytes: larger ones are sent thin. */
export const MAX_FULL_BODY_BYTES = 1_048_576;

/** The field that a full payload adds to events of a type; undefined for events that belong to no parcel. */
export function fullPartOf(type: SentEventType): FullPart | undefined {
  if (type === 'parcel.weighed') return 'weighing';
  if (type === 'tracking.changed') return 'tracking';
  return isOptInType(type) ? 'forecast' : undefined;
}

interface ThinBody {
  readonly type: SentEventType;
  readonly timestamp: string;
  readonly data: { readonly forecast_no: string };
}

export function forecastNoIn(body: string): string {
  return (JSON.parse(body) as ThinBody).data.forecast_no;
}

function withField(body: string, name: string, value: unknown): string {
  const thin = JSON.parse(body) as ThinBody;
  return JSON.stringify({ ...thin, data: { ...thin.data, [name]: value } });
}

/** A thin body that says why the full data is missing. */
export function withoutFull(body: string, reason: FullOmission): string {
  return withField(body, 'full_omitted', reason);
}

/** A thin body with the full data, or with the reason why it is missing when it would be larger than {@link MAX_FULL_BODY_BYTES}. */
export function withFull(body: string, part: FullPart, content: unknown): { readonly body: string; readonly omitted: FullOmission | null } {
  const full = withField(body, part, content);
  if (Buffer.byteLength(full) <= MAX_FULL_BODY_BYTES) return { body: full, omitted: null };
  return { body: withoutFull(body, 'too_large'), omitted: 'too_large' };
}
