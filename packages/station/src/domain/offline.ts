import { type Bench, moved, type Notice, type Step, said } from './bench.ts';
import { isProductCode } from './product-code.ts';
import type { UnclaimedResponse } from './unclaimed.ts';

/*
 * What the bench does while the platform does not respond:
 * - A scan is looked up among the parcels on this device (bench/lookups.ts). The device has no items or documents, so such a
 *   parcel cannot be counted.
 * - A scan that is not among them is weighed under its number, but not under the code of a product: `notFoundOffline`.
 * - A document is printed and a dispatch is reported without being checked, which is shown: `printUnchecked`, `dispatchUnchecked`.
 * - Unclaimed parcels are neither claimed nor dismissed: `unclaimedFailure`.
 * - Reports and photos wait on the device and are sent later, in their order (queue/).
 */

/** Handles a scan that the device does not know. The code of a product is refused: only the platform knows whose product it is. */
export function notFoundOffline(bench: Bench, scan: string): Step {
  if (isProductCode(scan)) return said(moved(bench, { at: 'scan' }), 'productOffline', scan);
  return { bench: moved(bench, { at: 'unknown', scan, offline: true }), effects: [] };
}

/** The bench that prints a document without having read its parcel again: it may be out of date. */
export const printUnchecked = (bench: Bench): Bench => said(bench, 'documentUnchecked').bench;

/** A dispatch that is reported without having read its parcel again. One that is not reported, as on a full device, says why instead. */
export function dispatchUnchecked(reported: Step): Step {
  if (reported.effects.length === 0) return reported;
  return { ...said(reported.bench, 'dispatchUnchecked'), effects: reported.effects };
}

/** What is shown when unclaimed parcels could not be listed, claimed or dismissed. None of it is tried again by itself. */
export function unclaimedFailure({ offline, code, message }: Extract<UnclaimedResponse, { of: 'failure' }>): Notice {
  if (offline) return { tone: 'bad', key: 'unclaimedOffline' };
  return { tone: 'bad', key: 'unclaimedFailed', value: `${code} ${message}`.trim() };
}
