import { openShipmentDetails, type ShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { AskedParcel } from '../../sources/source.ts';
import type { Shipment } from '../../watch/domain/shipment.ts';

/** Opens the details that a warehouse reported with a dispatch. Those that cannot be opened are none: that is logged, without a word of them. */
export function createDetailsReader(sealer: TextSealer, logger: Logger): (shipment: Shipment) => ShipmentDetails {
  return (shipment) => {
    if (shipment.sealedDetails === null) return {};
    try {
      return openShipmentDetails(sealer, shipment, shipment.sealedDetails);
    } catch (error) {
      logger.warn(
        { err: error, forecast_no: shipment.forecastNo },
        'The details of a shipment cannot be opened; its source is asked without them',
      );
      return {};
    }
  };
}

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
