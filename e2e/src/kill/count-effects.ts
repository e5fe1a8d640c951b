import type { ResolutionRecord } from '@parcelway/contracts/unclaimed-api';
import type { ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { Ledger, LedgerEntry } from './ledger.ts';

/** What became of all that was acknowledged: effects are forecasts, corrections, weighings, claims, dismissals, and a webhook at each endpoint that is due one. */
export interface EffectCounts {
  /** Effects that are due, because their cause was acknowledged. */
  readonly submitted: number;
  /** Of those, the ones that were found at least once. */
  readonly seen: number;
  readonly lost: number;
  /** Effects that were found once more than they may be. */
  readonly doubled: number;
}

/** What was read of a healed platform. */
export interface Evidence {
  /** `version` and weights of each forecast that exists, by its po_number. */
  readonly forecasts: ReadonlyMap<string, { readonly version: number; readonly weightsKg: readonly number[] }>;
  /** The po_number of each forecast in the list of the merchant. */
  readonly listed: readonly string[];
  readonly resolutions: readonly Pick<ResolutionRecord, 'id' | 'action'>[];
  /** False when there are more resolutions than were read. */
  readonly isAuditComplete: boolean;
  readonly receivers: readonly Pick<WebhookReceiver, 'received'>[];
  readonly correctionReceiver?: Pick<WebhookReceiver, 'received'> | undefined;
}

/** One kind of effect of one parcel: how many are due, how many there may be at most, how many there are. */
interface Effect {
  readonly due: number;
  readonly most: number;
  readonly found: number;
}

const once = (isDue: boolean | undefined, found: number): Effect => ({ due: isDue ? 1 : 0, most: 1, found });

/** How many webhooks with different ids came of each parcel. */
function idsByParcel(received: readonly ReceivedWebhook[]): (poNumber: string) => number {
  const ids = new Map<string, Set<string>>();
  for (const { id, body } of received) {
    const poNumber = String(body.data.po_number);
    ids.set(poNumber, (ids.get(poNumber) ?? new Set<string>()).add(id));
  }
  return (poNumber) => ids.get(poNumber)?.size ?? 0;
}

/** How often each text is there. */
function timesOf(texts: readonly string[]): (text: string) => number {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return (text) => times.get(text) ?? 0;
}

/** Adds up what became of each effect that the ledger is owed. */
export function countEffects(ledger: Pick<Ledger, 'entries'>, evidence: Evidence): EffectCounts {
  const listed = timesOf(evidence.listed);
  const resolved = timesOf(evidence.resolutions.map(({ id, action }) => `${action} ${id}`));
  const receivers = evidence.receivers.map(({ received }) => idsByParcel(received));
  const corrected = evidence.correctionReceiver && idsByParcel(evidence.correctionReceiver.received);
  const resolution = (action: 'claim' | 'dismiss', id: string | undefined, isDue: boolean | undefined): Effect => {
    const found = resolved(`${action} ${id}`);
    // An audit that was not read to its end shows nothing of what is missing in it.
    return once(isDue, isDue && !evidence.isAuditComplete ? Math.max(1, found) : found);
  };
  const effectsOf = (entry: LedgerEntry): Effect[] => {
    const { poNumber, weightKg, weighingAcknowledged, correctionsAcknowledged, correctionsSent } = entry;
    const { version, weightsKg } = evidence.forecasts.get(poNumber) ?? { version: 1, weightsKg: [] };
    const corrections = { due: correctionsAcknowledged, most: correctionsSent };
    return [
      once(entry.forecastNo !== undefined, listed(poNumber)),
      { ...corrections, found: version - 1 },
      once(weighingAcknowledged, weightsKg.filter((weight) => weight === weightKg).length),
      resolution('claim', entry.eventId, weighingAcknowledged && entry.strayNumber !== undefined),
      resolution('dismiss', entry.dismissedEventId, entry.dismissalAcknowledged),
      ...receivers.map((idsOf) => once(weighingAcknowledged, idsOf(poNumber))),
      ...(corrected ? [{ ...corrections, found: corrected(poNumber) }] : []),
    ];
  };
  const effects = [...ledger.entries.values()].flatMap(effectsOf);
  const sum = (of: (effect: Effect) => number): number => effects.reduce((total, effect) => total + of(effect), 0);
  return {
    submitted: sum(({ due }) => due),
    seen: sum(({ due, found }) => Math.min(due, found)),
    lost: sum(({ due, found }) => Math.max(0, due - found)),
    doubled: sum(({ most, found }) => Math.max(0, found - most)),
  };
}
