import { instantOf, MAX_NODES } from '../../watch/domain/node.ts';
import { type Fields, fieldsOf, isFields, listOf } from '../fields.ts';
import { newestOf } from '../trace.ts';
import { placeOfActivity, shortText, timeOfActivity } from './activity-time.ts';

const normalised = (number: unknown): string => shortText(number).replaceAll(' ', '').toUpperCase();

/** The newest instant of the first `count` activities: UPS gives the newest first. */
function newestInstant(parcel: Fields, count: number): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const activity of listOf(parcel['activity']).slice(0, count).filter(isFields)) {
    const time = timeOfActivity(activity, placeOfActivity(activity));
    if (time !== undefined) newest = Math.max(newest, instantOf(time.createTime, time.times) ?? newest);
  }
  return newest;
}

/** The package with the newest activity. At most {@link MAX_NODES} activities are read, as many of each package. */
function newest(parcels: readonly Fields[]): Fields | undefined {
  const count = Math.max(1, Math.floor(MAX_NODES / parcels.length));
  return newestOf(parcels.slice(0, MAX_NODES), (parcel) => newestInstant(parcel, count));
}

function packagesOf(shipment: Fields): readonly Fields[] {
  return listOf(shipment['package']).filter(isFields);
}

/** The only package of a shipment whose number was asked for: its own number may be another one, as of UPS Mail Innovations. */
function onlyPackages(shipments: readonly Fields[], number: string): readonly Fields[] {
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
export function findUpsPackage(response: unknown, trackingNumber: string): Fields | undefined {
  const shipment = fieldsOf(fieldsOf(response)['trackResponse'])['shipment'];
  if (!Array.isArray(shipment)) throw new Error('The response has no trackResponse.shipment');
  const shipments = shipment.filter(isFields);
  const number = normalised(trackingNumber);
  const packages = shipments.flatMap(packagesOf);
  const hasAlternate = (parcel: Fields): boolean =>
    listOf(parcel['alternateTrackingNumber']).some((alternate) => normalised(fieldsOf(alternate)['number']) === number);
  return (
    newest(packages.filter((parcel) => normalised(parcel['trackingNumber']) === number)) ??
    newest(packages.filter(hasAlternate)) ??
    newest(onlyPackages(shipments, number))
  );
}
