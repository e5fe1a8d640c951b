import type { CanonicalForecast, ContentSummary } from './canonical.ts';
import type { Correction } from './correction.ts';
import type { ForecastRecord, Progress, ReceivedItem } from './forecast.ts';
import type { ForecastMessage } from './messages.ts';

/** Names a forecast for good: no other one of the tenant ever has its number. */
export interface ForecastKey {
  readonly tenantId: string;
  readonly forecastNo: string;
}

/** A key as a text. Ids of tenants contain no blank, so the two parts cannot run into each other. */
export function keyText({ tenantId, forecastNo }: ForecastKey): string {
  return `${tenantId} ${forecastNo}`;
}

export interface Submission {
  readonly content: CanonicalForecast;
  /** Oldest first. */
  readonly corrections: readonly Correction[];
}

/** A forecast with everything that its tenant submitted and corrected, and what was received, all of one moment. */
export interface WholeForecast extends Submission {
  readonly record: ForecastRecord;
  /** Absent until the warehouse has counted. */
  readonly receivedItems?: readonly ReceivedItem[] | undefined;
}

export interface AppliedEvent {
  readonly eventId: string;
  readonly type: string;
}

/** A mark that an event was applied; epoch milliseconds. */
export interface AppliedMark extends AppliedEvent {
  readonly at: number;
}

/** What a store knows of a forecast at one moment, for decisions about it. */
export interface KnownForecast {
  readonly record: ForecastRecord;
  /** Rises with each write: a decision is written only onto the version that it was made on. */
  readonly version: number;
  /** True when a query by its po_number finds this forecast: always, until it is cancelled and the po_number is used again. */
  readonly isShown: boolean;
  /** The ids of the events that were applied before. Empty unless asked for. */
  readonly applied: ReadonlySet<string>;
  /** Absent unless asked for: it may be megabytes. */
  readonly whole?: WholeForecast;
}

/** What a correction makes of the content of a forecast. */
export interface ContentChange extends Submission, ContentSummary {
  readonly contentHash: string;
  readonly contentVersion: number;
  /** The numbers that it claims from now on; null when they are the same as before. */
  readonly claims: readonly string[] | null;
}

/** A message and the `traceparent` of what caused it. */
export interface CausedMessage {
  readonly message: ForecastMessage;
  readonly traceparent: string | undefined;
}

/** All that changes of a forecast in one durable write. `M`: a message to publish. */
export interface ForecastWrite<M = CausedMessage> {
  /** What it was decided on. */
  readonly known: KnownForecast;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Absent: status and progress stay. */
  readonly state?: Pick<ForecastRecord, 'status'> & { readonly progress: Progress };
  /** Pieces that the warehouse counted, in place of the count before. Absent: that one stays. */
  readonly receivedItems?: readonly ReceivedItem[];
  /** Absent: the content stays. */
  readonly content?: ContentChange;
  /** What it is found by. Absent: that stays. */
  readonly terms?: readonly string[];
  /** Numbers under which its parcels were scanned, normalised. */
  readonly scanned?: readonly string[];
  /** Marks of the events that it applies. */
  readonly applied: readonly AppliedEvent[];
  /** Messages to publish, in their order. */
  readonly messages: readonly M[];
}
