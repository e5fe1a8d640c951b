import { instantOf, MAX_NODES } from '../../domain/node.ts';
import { placeOfActivity, timeOfActivity } from './activity-time.ts';
import { isRecord, listOf, recordOf, shortText, type WireRecord } from './wire.ts';

const normalised = (number: unknown): string => shortText(number).replaceAll(' ', '').toUpperCase();

/** The newest instant of the first `count` activities: UPS gives the newest first. */
function newestInstant(parcel: WireRecord, count: number): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const activity of listOf(parcel['activity']).slice(0, count).filter(isRecord)) {
    const time = timeOfActivity(activity, placeOfActivity(activity));
    if (time !== undefined) newest = Math.max(newest, instantOf(time.createTime, time.times) ?? newest);
  }
  return newest;
}

/** The package with the newest activity. At most {@link MAX_NODES} activities are read, as many of each package. */
function newest(parcels: readonly WireRecord[]): WireRecord | undefined {
  if (parcels.length < 2) return parcels[0];
  const count = Math.max(1, Math.floor(MAX_NODES / parcels.length));
  const [first, ...others] = parcels.slice(0, MAX_NODES).map((parcel) => ({ parcel, instant: newestInstant(parcel, count) }));
  return first && others.reduce((best, other) => (other.instant > best.instant ? other : best), first).parcel;
}

function packagesOf(shipment: WireRecord): readonly WireRecord[] {
  return listOf(shipment['package']).filter(isRecord);
}

/** The only package of a shipment whose number was asked for: its own number may be another one, as of UPS Mail Innovations. */
function onlyPackages(shipments: readonly WireRecord[], number: string): readonly WireRecord[] {
  return shipments
    .filter((shipment) => normalised(shipment['inquiryNumber']) === number)
    .map(packagesOf)
    .filter((packages) => packages.length === 1)
    .flat();
}

/**
 * Finds the package of a number in a response of `GET /track/v1/details/{inquiryNumber}` (Tracking.yaml): by its number, or else by its alternate
 * numbers, or else as the only one of the shipment. UPS uses numbers again: of several packages it is the one with the newest activity.
 * @returns undefined when UPS does not know the number; it says so by a shipment with the warning TW0001 and without a package
 * @throws Error when it is no such response
 */
export function findUpsPackage(response: unknown, trackingNumber: string): WireRecord | undefined {
  const shipment = recordOf(recordOf(response)['trackResponse'])['shipment'];
  if (!Array.isArray(shipment)) throw new Error('The response has no trackResponse.shipment');
  const shipments = shipment.filter(isRecord);
  const number = normalised(trackingNumber);
  const packages = shipments.flatMap(packagesOf);
  const hasAlternate = (parcel: WireRecord): boolean =>
    listOf(parcel['alternateTrackingNumber']).some((alternate) => normalised(recordOf(alternate)['number']) === number);
  return (
    newest(packages.filter((parcel) => normalised(parcel['trackingNumber']) === number)) ??
    newest(packages.filter(hasAlternate)) ??
    newest(onlyPackages(shipments, number))
  );
}
