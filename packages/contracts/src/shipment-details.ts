import type { TextSealer } from '@parcelway/kernel/sealed-text';
import Type, { type Static } from 'typebox';
import { COUNTRY_PATTERN, day, FOUR_DIGITS_PATTERN, POSTCODE_PATTERN, text } from './text.ts';

/** What some tracking sources want to know of a parcel beside its number, as a warehouse may report it with the dispatch. */
export const shipmentDetailFields = {
  destination_country: Type.Optional(Type.String({ pattern: COUNTRY_PATTERN, description: 'Where the parcel goes (ISO 3166-1 alpha-2)' })),
  destination_postcode: Type.Optional(Type.String({ pattern: POSTCODE_PATTERN, description: 'Postcode of the recipient' })),
  phone_last4: Type.Optional(
    Type.String({ pattern: FOUR_DIGITS_PATTERN, description: "Last four digits of the recipient's phone number" }),
  ),
  ship_date: Type.Optional(day('Day on which the carrier took the parcel')),
  carrier_service: Type.Optional(text(1, 100, "The carrier's service, such as express")),
};

const ShipmentDetails = Type.Object(shipmentDetailFields);
/** The details of a shipment that are known. They speak of a person: they are sealed wherever they are stored or sent. */
export type ShipmentDetails = Static<typeof ShipmentDetails>;

/** What the details belong to. */
interface DetailsOwner {
  readonly carrierCode: string;
  readonly trackingNumber: string;
}

const names = Object.keys(shipmentDetailFields) as readonly (keyof ShipmentDetails)[];
const placeOf = ({ carrierCode, trackingNumber }: DetailsOwner): string => `shipment details/${carrierCode}/${trackingNumber}`;

/**
 * Seals the details of a shipment for carrier and number. The same details give the same text, so that a report that comes again is seen to be the same.
 * @param report may have other fields, too
 * @returns undefined when there are none
 */
export function sealShipmentDetails(sealer: TextSealer, owner: DetailsOwner, report: ShipmentDetails): string | undefined {
  const known = names.flatMap((name) => (report[name] === undefined ? [] : [[name, report[name]] as const]));
  return known.length === 0 ? undefined : sealer.sealSame(JSON.stringify(Object.fromEntries(known)), placeOf(owner));
}

/** The details in a text of {@link sealShipmentDetails}. @throws Error when it was sealed with another secret, or for another shipment */
export function openShipmentDetails(sealer: TextSealer, owner: DetailsOwner, sealed: string): ShipmentDetails {
  return JSON.parse(sealer.open(sealed, placeOf(owner))) as ShipmentDetails;
}
