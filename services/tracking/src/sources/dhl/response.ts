import { cleanText } from '../clean-text.ts';
import { type DhlObject, hasNumber, isDhlObject, newestInstantOf, numberKey } from './shipment.ts';

/** The reason in a problem (RFC 9457) that DHL responses with. */
function problemOf(response: DhlObject): string {
  const parts = [
    Number.isSafeInteger(response.status) ? String(response.status) : '',
    cleanText(response.title, 100),
    cleanText(response.detail, 300),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/**
 * The shipment of a number in an response of DHL (`GET /track/shipments`). Without `service`, DHL may response with another shipment, and some
 * divisions response with every shipment of an order (support-developer.dhl.com 47001248615). Only one whose id or piece is the number counts:
 * the newest when there are several, because numbers are used again.
 * @returns undefined when DHL does not know the number yet: a problem 404, or no such shipment in the response
 * @throws Error with the reason when the response is another problem, or not in DHL's form
 */
export function shipmentInResponse(response: unknown, trackingNumber: string): unknown {
  if (!isDhlObject(response)) throw new Error('The response is not an object');
  const { shipments, status } = response;
  if (!Array.isArray(shipments)) {
    if (status === 404) return undefined;
    throw new Error(
      Number.isSafeInteger(status) ? `DHL responses with a problem: ${problemOf(response)}` : 'The response has no shipments',
    );
  }
  const key = numberKey(trackingNumber);
  const candidates = shipments.filter((shipment: unknown): shipment is DhlObject => isDhlObject(shipment) && hasNumber(shipment, key));
  const exact = candidates.filter((shipment) => numberKey(shipment.id) === key);
  const [first, ...others] = (exact.length > 0 ? exact : candidates).map((shipment) => ({ shipment, newest: newestInstantOf(shipment) }));
  return others.reduce((best, other) => (best !== undefined && other.newest > best.newest ? other : best), first)?.shipment;
}
