import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { OpenStore } from '@parcelway/platform/open-store';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Known, Store } from '@parcelway/store/store';
import { ledgerDeletions } from '../../accounts/call-ledgers.ts';
import { callLedgers, connections } from '../../accounts/connection-collections.ts';
import { nodesOf, type ParcelDocument, parcels } from '../../watch/parcels-collection.ts';

/** Shipments that are read at once: their histories may be megabytes. */
const READ_AT_ONCE = 10;

type Fields = Readonly<Record<string, unknown>>;

const FURTHER: Fields = {};

function forecastOf({ forecastNo, furtherNumber, poNumber, isCancelled, furtherNumbers }: ParcelDocument): Fields {
  if (furtherNumber !== '') return FURTHER;
  return {
    forecast_no: forecastNo,
    po_number: poNumber,
    is_cancelled: isCancelled,
    further_numbers: furtherNumbers,
  };
}

/** Forecasts: the documents of first parcels. Fewer further ones lie between two of them than a page has. */
function forecastKind(store: Store): TenantDataKind {
  const { list, ...kind } = tenantKind(store, { name: 'forecasts', by: parcels.by.owned, record: forecastOf, isCopy: true });
  return {
    ...kind,
    list: async (tenantId, after) => ((await list?.(tenantId, after)) ?? []).filter(({ record }) => record !== FURTHER),
  };
}

/** A shipment with the history of its present watch, and the sealed details opened. @throws Error when they were sealed with another secret */
function shipmentOf(sealer: TextSealer, document: ParcelDocument): Fields {
  const { forecastNo, furtherNumber, poNumber, trackingNumber, shipment } = document;
  const sealed = shipment?.sealedDetails ?? null;
  const owner = { carrierCode: shipment?.carrierCode ?? '', trackingNumber: trackingNumber ?? '' };
  return {
    forecast_no: forecastNo,
    further_number: furtherNumber,
    po_number: poNumber,
    carrier_code: shipment?.carrierCode,
    tracking_number: trackingNumber,
    watch: shipment?.watch,
    watched_since: shipment?.watchedSince,
    dispatched_at: shipment?.dispatchedAt,
    is_watched: Number((shipment?.nextPollAt ?? null) !== null),
    published_status: shipment?.publishedStatus,
    last_change_at: shipment?.lastChangeAt,
    next_poll_at: shipment?.nextPollAt ?? null,
    asked_at: shipment?.askedAt,
    reported_at: shipment?.reportedAt,
    registration: shipment?.registration,
    details: sealed === null ? null : openShipmentDetails(sealer, owner, sealed),
    nodes: nodesOf(document),
  };
}

/** Connections without their credentials; what they have called goes with them. */
function connectionKind(store: Store): TenantDataKind {
  return tenantKind(store, {
    by: connections.by.owner,
    record: ({ connectionId, source, baseUrl, carriers, limits, createdAt, updatedAt }) => ({
      connection_id: connectionId,
      source,
      base_url: baseUrl,
      carriers,
      limits: limits ?? null,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
    async before(_tenantId, values) {
      const ids = values.map(({ connectionId }) => connectionId);
      const decide = (known: Known) => ({ writes: ids.flatMap((id) => ledgerDeletions(known, id)), result: undefined });
      await store.change([{ in: callLedgers, keys: ids.map((id) => [id]) }], decide);
    },
  });
}

/** What the service stores about tenants. @param sealer opens details of shipments @param kept what its collections keep */
export function createTenantData(store: Store, sealer: TextSealer, kept: OpenStore['tenantData']): TenantData {
  return kept({
    connections: [connectionKind(store)],
    parcels: [
      forecastKind(store),
      tenantKind(store, {
        name: 'shipments',
        by: parcels.by.shipments,
        record: (document) => shipmentOf(sealer, document),
        with: ['nodes'],
        batch: READ_AT_ONCE,
        isCopy: true,
      }),
      // Forecasts with and without a shipment.
      tenantKind(store, { by: parcels.by.owned, record: null }),
    ],
  });
}
