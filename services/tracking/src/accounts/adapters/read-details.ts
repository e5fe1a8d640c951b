import { openShipmentDetails, type ShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
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
