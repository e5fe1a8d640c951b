import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import { storedEvent } from '../../expected/domain/event.ts';

/** What a warehouse reported, with the details of a dispatch opened. @param text as the stores keep it; the rest is when it came */
export function eventRecord(sealer: TextSealer, text: string, receivedAt: number): Readonly<Record<string, unknown>> {
  const event = storedEvent(text);
  const { detail } = event;
  if (detail.type !== 'dispatch' || detail.sealedDetails === undefined) return { ...event, received_at: receivedAt };
  const { sealedDetails, ...dispatch } = detail;
  return { ...event, detail: { ...dispatch, details: openShipmentDetails(sealer, detail, sealedDetails) }, received_at: receivedAt };
}
