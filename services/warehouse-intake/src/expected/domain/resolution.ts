import type { IntakeEvent } from './event.ts';

/** The number under which an unclaimed parcel waits at its warehouse: all events under it are resolved together. */
export interface WaitingNumber {
  readonly warehouseCode: string;
  /** `scanned`: a logistics number, normalised. `named`: the number of a forecast that is not known here. */
  readonly kind: 'scanned' | 'named';
  readonly number: string;
}

/** How a warehouse, or the operator for it, ends the waiting of events. */
export type ResolutionAction =
  | { readonly action: 'claim'; readonly forecastNo: string }
  | { readonly action: 'dismiss'; readonly reason: string };

/** A wish to end the waiting of an event. */
export type ResolutionRequest = ResolutionAction & {
  readonly warehouseCode: string;
  readonly eventId: string;
  /** Id of the key that asks; `admin` for the operator. */
  readonly resolvedBy: string;
};

/** The audit record of a resolution. */
export type Resolution = ResolutionRequest & {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly resolvedAt: number;
  /** How many events it ended the waiting of; those that the forecast does not take wait on. */
  readonly events: number;
};

/** The number by which an event is matched, and under which it waits. */
export function waitingNumberOf(event: IntakeEvent): WaitingNumber {
  const { warehouseCode, forecastNo } = event;
  if (forecastNo !== null) return { warehouseCode, kind: 'named', number: forecastNo };
  return { warehouseCode, kind: 'scanned', number: event.scannedNumber ?? '' };
}
