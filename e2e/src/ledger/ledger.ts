import { randomUUID } from 'node:crypto';
import type { AdminStatus } from '@parcelway/contracts/admin-status';

/** Corrections that each forecast gets, in this order. Each creates a version with new documents. */
export const CORRECTIONS = [{ due_date: '2030-01-31' }, { carton_count: 7 }] as const;

/** Reason of the dismissal of a parcel that nobody expects. */
export const DISMISSED_BECAUSE = 'Sent back to the carrier';

/** What was acknowledged to the client about one parcel. Only a 2xx counts. */
export interface LedgerEntry {
  readonly poNumber: string;
  /** Weight of its weighing, unique to it: identifies its measurement. */
  readonly weightKg: number;
  readonly eventId: string;
  /** The number under which its arrival and weighing are reported, of a parcel that is claimed afterwards. */
  readonly strayNumber?: string;
  /** The arrival of another parcel, which nobody expects and which is dismissed. */
  readonly dismissedEventId?: string;
  /** Its items are too large for an event. */
  readonly isLarge?: true;
  /** It has neither a label nor a photo. */
  readonly isPlain?: true;
  labelUrl?: string;
  forecastNo?: string;
  /** Number of {@link CORRECTIONS} that were sent, with or without success. */
  correctionsSent: number;
  /** Number of acknowledged {@link CORRECTIONS}. */
  correctionsAcknowledged: number;
  dismissalAcknowledged?: boolean;
  photoId?: string;
  /** Includes the claim of a claimed parcel. */
  weighingAcknowledged?: boolean;
}

/** What a tracking source has reported of a parcel, up to its delivery. */
export interface TrackedParcel {
  readonly source: string;
  readonly poNumber: string;
  /** Statuses of the nodes, oldest first. */
  readonly nodes: readonly AdminStatus[];
  /** Statuses of the published changes. */
  readonly changes: readonly AdminStatus[];
}

/** Id of the event of the arrival of a parcel that is claimed. */
export const arrivalIdOf = ({ eventId }: LedgerEntry): string => `${eventId}-arrival`;

/** Everything that was acknowledged to clients. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  /** Parcels that sources have delivered. */
  readonly tracked: TrackedParcel[] = [];
  /** Responses that must not be: a second forecast_no for one po_number, or a 500. */
  readonly contradictions: string[] = [];

  /** Adds a parcel. Of four, two are claimed, and one comes with an arrival that is dismissed. */
  begin(kind: Pick<LedgerEntry, 'isLarge' | 'isPlain'> = {}): LedgerEntry {
    const number = this.entries.size + 1;
    const entry: LedgerEntry = {
      poNumber: `PO-${number}-${randomUUID().slice(0, 8)}`,
      weightKg: number / 1000,
      eventId: `we-${randomUUID()}`,
      ...(number % 2 === 0 && { strayNumber: `STRAY-${number}-${randomUUID().slice(0, 8)}` }),
      ...(number % 4 === 1 && { dismissedEventId: `LOST-${randomUUID()}` }),
      ...kind,
      correctionsSent: 0,
      correctionsAcknowledged: 0,
    };
    this.entries.set(entry.poNumber, entry);
    return entry;
  }

  /** Parcels without an acknowledged weighing. */
  get open(): LedgerEntry[] {
    return [...this.entries.values()].filter(({ weighingAcknowledged }) => !weighingAcknowledged);
  }

  /** Notes an acknowledged submission. */
  acknowledgeForecast(entry: LedgerEntry, forecastNo: string): void {
    if (entry.forecastNo !== undefined && entry.forecastNo !== forecastNo) {
      this.contradictions.push(`${entry.poNumber} was ${entry.forecastNo}, then ${forecastNo}`);
    }
    entry.forecastNo = forecastNo;
  }

  /** Counts of what was acknowledged. */
  get totals(): LedgerTotals {
    const entries = [...this.entries.values()];
    return {
      forecasts: entries.filter((entry) => entry.forecastNo !== undefined).length,
      corrections: entries.reduce((sum, { correctionsAcknowledged }) => sum + correctionsAcknowledged, 0),
      weighings: entries.filter((entry) => entry.weighingAcknowledged).length,
      claims: entries.filter((entry) => entry.weighingAcknowledged && entry.strayNumber !== undefined).length,
      dismissals: entries.filter((entry) => entry.dismissalAcknowledged).length,
    };
  }
}

/** How many of each were acknowledged to the client. */
export type LedgerTotals = Readonly<Record<'forecasts' | 'corrections' | 'weighings' | 'claims' | 'dismissals', number>>;
