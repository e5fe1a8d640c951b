import type { Archive } from '@parcelway/blobs/archive/archive';
import { archiveBatch } from '@parcelway/blobs/archive/archive-records';
import type { Clock } from '@parcelway/kernel/clock';
import { MAX_NODES } from '../domain/node.ts';
import type { ArchiveShipments } from '../expire-shipments.ts';
import { shipmentResponse } from '../query-tracking.ts';
import type { ShipmentReader } from '../tracking-store.ts';

/**
 * Writes shipments with their nodes to the archive, as the API shows them.
 * @param isErased true of a tenant that is erased: its shipments are deleted without a copy
 */
export function createShipmentArchive(
  archive: Archive,
  reader: Pick<ShipmentReader, 'history'>,
  clock: Clock,
  isErased: (tenantId: string) => boolean,
): ArchiveShipments {
  return async (tenantId, shipments) => {
    if (isErased(tenantId)) return;
    const records = [];
    for (const shipment of shipments) {
      const { forecastNo: forecast_no, poNumber: po_number, trackingNumber } = shipment;
      const nodes = await reader.history(shipment, MAX_NODES);
      const data = { forecast_no, po_number, ...shipmentResponse({ shipment, nodes, asOf: null }) };
      records.push({ id: `${forecast_no} ${trackingNumber}`, data });
    }
    await archiveBatch(archive, { tenantId, kind: 'shipments', records }, clock.now());
  };
}
