import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { Shipment } from '../domain/shipment.ts';
import type { AskedParcel } from './source.ts';

/** A shipment as a vendor is asked for it. @param reference of its registration with this vendor; null for none */
export function askedParcelOf(
  { trackingNumber, carrierCode, dispatchedAt }: Shipment,
  reference: string | null,
  details: ShipmentDetails,
): AskedParcel {
  return {
    trackingNumber,
    carrierCode,
    dispatchedAt,
    reference,
    destinationCountry: details.destination_country,
    destinationPostcode: details.destination_postcode,
    phoneLast4: details.phone_last4,
    shipDate: details.ship_date,
    carrierService: details.carrier_service,
  };
}
