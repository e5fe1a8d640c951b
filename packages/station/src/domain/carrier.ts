import { detectCarriers, isCarrierCode } from '@parcelway/contracts/carrier-detection/detect';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { type AtParcel, type Bench, moved, type Question, type Step, said } from './bench.ts';
import { isParcelNumber } from './entry.ts';

const CARRIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Carriers that the bench offers by number, at most. */
export const MAX_OFFERED = 9;

type CarrierQuestion = Extract<Question, { readonly ask: 'carrier' }>;

/** True for a code that a connection names, that a known carrier has, or that somebody has confirmed here. */
function isKnown({ carriers, confirmed }: Bench, code: string): boolean {
  return isCarrierCode(code) || [...carriers, ...confirmed].includes(code.toLowerCase());
}

/** What Enter takes: the code to confirm, else the carrier of the number that was scanned, else the last one. */
function carrierOnEnter({ lastCarrier }: Bench, { unknown, detected }: CarrierQuestion): string | undefined {
  return unknown ?? detected ?? lastCarrier;
}

/**
 * The reply to the question for the carrier: a code, the number of one that is offered, Enter, or the carrier's tracking number, by which the carrier is
 * detected. A code that nobody knows is confirmed once.
 * @param chosen goes on with the carrier, and with the number if it was scanned
 */
export function lineAtCarrier(
  bench: Bench,
  parcel: AtParcel,
  question: CarrierQuestion,
  line: string,
  chosen: (bench: Bench, carrier: string, trackingNumber: string | undefined) => Step,
): Step {
  const { trackingNumber, unknown } = question;
  const offered = /^[1-9]$/.test(line) ? bench.carriers[Number(line) - 1] : undefined;
  const code = offered ?? (line === '' ? carrierOnEnter(bench, question) : line) ?? '';
  const [best] = isKnown(bench, code) ? [] : detectCarriers(normaliseTrackingNumber(line));
  if (best !== undefined && isParcelNumber(line)) {
    // Hardly more than the length fits: the last carrier is the better guess.
    const isVague = best.confidence === 'low' && bench.lastCarrier !== undefined;
    const next: Question = { ask: 'carrier', trackingNumber: line, ...(!isVague && { detected: best.carrierCode }) };
    return { bench: moved(bench, { ...parcel, question: next }), effects: [] };
  }
  if (!CARRIER.test(code)) return said(bench, 'badCarrier');
  if (isKnown(bench, code)) return chosen(bench, code, trackingNumber);
  if (code === unknown) return chosen({ ...bench, confirmed: [...bench.confirmed, code.toLowerCase()] }, code, trackingNumber);
  const asked = moved(bench, { ...parcel, question: { ...question, unknown: code } });
  return said(asked, 'unknownCarrier', code, 'wait');
}
