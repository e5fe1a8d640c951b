import { MAX_NODES } from '../../domain/node.ts';
import { cleanText } from '../clean-text.ts';
import { type DhlObject, hasNumber, isDhlObject, newestInstantOf, numberKey } from './shipment.ts';

/** The reason in a problem (RFC 9457) that DHL responds with. Empty when it says nothing. */
export function problemOf(response: DhlObject): string {
  const parts = [
    Number.isSafeInteger(response.status) ? String(response.status) : '',
    cleanText(response.title, 100),
    cleanText(response.detail, 300),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Most shipments under one number whose times are compared. */
const MAX_CANDIDATES = 100;

/**
 * The shipment of a number in a response of DHL (`GET /track/shipments`). Without `service`, DHL may respond with another shipment, and some
 * divisions respond with every shipment of an order (support-developer.dhl.com 47001248615). Only one whose id or piece is the number counts:
 * the newest when there are several, because numbers are used again (trap 9 in sources/README.md).
 * @returns undefined when DHL does not know the number yet: a problem 404, or no such shipment in the response
 * @throws Error with the reason when the response is another problem, or not in DHL's form
 */
export function shipmentInResponse(response: unknown, trackingNumber: string): unknown {
  if (!isDhlObject(response)) throw new Error('The response is not an object');
  const { shipments, status } = response;
  if (!Array.isArray(shipments)) {
    if (status === 404) return undefined;
    throw new Error(Number.isSafeInteger(status) ? `DHL responds with a problem: ${problemOf(response)}` : 'The response has no shipments');
  }
  const key = numberKey(trackingNumber);
  const candidates = shipments
    .slice(0, MAX_NODES)
    .filter((shipment: unknown): shipment is DhlObject => isDhlObject(shipment) && hasNumber(shipment, key));
  const exact = candidates.filter((shipment) => numberKey(shipment.id) === key);
  const compared = (exact.length > 0 ? exact : candidates).slice(0, MAX_CANDIDATES);
  const [first, ...others] = compared.map((shipment) => ({ shipment, newest: newestInstantOf(shipment) }));
  return others.reduce((best, other) => (best !== undefined && other.newest > best.newest ? other : best), first)?.shipment;
}
