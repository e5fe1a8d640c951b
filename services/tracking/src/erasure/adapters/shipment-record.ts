import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { TextSealer } from '@parcelway/kernel/sealed-text';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A shipment as its tenant may have it: the sealed details opened.
 * @param fields `carrier_code`, `tracking_number`, perhaps `sealed_details`, and others
 * @throws Error when the details were sealed with another secret
 */
export function shipmentRecord(sealer: TextSealer, fields: Fields): Fields {
  const { sealed_details: sealed, ...rest } = fields;
  if (typeof sealed !== 'string') return { ...rest, details: null };
  const owner = { carrierCode: String(rest['carrier_code']), trackingNumber: String(rest['tracking_number']) };
  return { ...rest, details: openShipmentDetails(sealer, owner, sealed) };
}
