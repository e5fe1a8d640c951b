import type { UploadedFile } from '@parcelway/contracts/file-api';
import { Merchant } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { recentRow, type SourceServer } from '@parcelway/harness/sources/source-server';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import type { Stage } from '../../stage.ts';

/** Services whose stores grow with the parcels. */
export const SERVICES = ['forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'] as const;

/** Tables with rows of single parcels, by service. */
export const COPIED_PARTS: ReadonlySet<string> = new Set([
  ...['forecasts', 'forecast_contents', 'forecast_terms', 'tracking_claims', 'applied_events'].map((part) => `forecast/${part}`),
  ...['files', 'photos', 'documents', 'contents', 'file_uses'].map((part) => `file/${part}`),
  ...['events', 'forecasts', 'numbers', 'view_forecasts', 'view_items', 'view_keys'].map((part) => `warehouse-intake/${part}`),
  ...['forecasts', 'shipments', 'nodes', 'parcels'].map((part) => `tracking/${part}`),
  ...['events', 'forecast_sequences', 'deliveries', 'attempts'].map((part) => `webhook/${part}`),
]);

/** Delivered parcels of the model; one more is at the warehouse. */
const DELIVERED = 3;
/** Parcels of the model, and so of each copy. */
export const PARCELS = DELIVERED + 1;
/** Each so-many-th copy has an event that waits for a forecast. */
export const WAITING_EVERY = 25;
/** Copies follow each other at this distance, so that a million parcels are those of some days. */
export const AGE_STEP_MS = 1_600;
/** Where pushes about the parcels go to. */
export const CONNECTION_ID = 'bench';

/** Numbers of a parcel, in the order in which they are given to the filler. */
export const NUMBERS_OF_PARCEL = ['forecastNo', 'poNumber', 'inboundNumber', 'outboundNumber'] as const;

/** A parcel as the merchant, the warehouse and the carrier know it. */
export type ParcelNumbers = Readonly<Record<(typeof NUMBERS_OF_PARCEL)[number], string>>;

/** Number of the parcel that the event names which waits. */
export const WAITING_NUMBER = 'GROWXX0000000000';

/** Input of growth-fill.ts. */
export interface FillOrder {
  /** Data directory of the platform. */
  readonly directory: string;
  readonly copies: number;
  /** Of all parcels of the model, parcel by parcel in the order of {@link NUMBERS_OF_PARCEL}, and {@link WAITING_NUMBER}. */
  readonly numbers: readonly string[];
}

/** Several busy platforms share few processors. */
const WITHIN_MS = 120_000;
const MINUTES = 10;
const STAGES = ['info received', 'picked up', 'in transit', 'delivered'] as const;
const COMPLETED = 6;
const ARRIVED = 2;

/** Takes parcels through everything that happens to one, on a platform that has none yet. @param stage asks the vendor for connection {@link CONNECTION_ID} */
export async function makeModel(stage: Stage, vendor: SourceServer): Promise<readonly ParcelNumbers[]> {
  const { platform, warehouseCode } = stage;
  const carrier = stage.referenceClient(platform.quickstart.base_url, 1);
  const identity = { tenantId: platform.quickstart.tenant.id, keyId: '', key: stage.tenantKey, warehouseCode };
  const merchant = new Merchant(platform.client(stage.tenantKey), identity);
  const clerk = new WarehouseClerk(platform.client(stage.warehouseKey), warehouseCode);

  /** Submits a parcel with its own PDF, then opens its product label. */
  const submit = async (at: number): Promise<ParcelNumbers> => {
    const numbers = { poNumber: `GROWPO-${at}-00000000`, inboundNumber: `GROWIN${at}0000000000`, outboundNumber: `GROWUT${at}0000000000` };
    const { poNumber, inboundNumber } = numbers;
    const { data } = await merchant.client.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf(`label ${at}`));
    const files = { shippingLabel: data.url, shippingNote: data.url };
    const { forecast_no } = await merchant.submit({ poNumber, trackingNumber: inboundNumber, items: 2, ...files });
    await merchant.client.fetchBytes((await merchant.forecast(poNumber)).marketplace_label);
    return { forecastNo: forecast_no, ...numbers };
  };

  const deliver = async ({ forecastNo, poNumber, outboundNumber }: ParcelNumbers): Promise<void> => {
    const { photo_id } = await clerk.photo();
    await clerk.report(clerk.weighing({ forecast_no: forecastNo, photo_ids: [photo_id] }));
    await merchant.untilWeighing(poNumber, ({ weight_kg }) => weight_kg !== null, WITHIN_MS);
    const dispatch = { type: 'dispatch', forecast_no: forecastNo, carrier_code: 'bench-carrier', tracking_number: outboundNumber };
    await clerk.report(clerk.event(dispatch));
    await merchant.untilShipped(poNumber, WITHIN_MS);
    vendor.addRows(outboundNumber, ...STAGES.map((name, index) => recentRow(name, (STAGES.length - index) * MINUTES)));
    const { body, headers } = vendor.signPush(outboundNumber);
    await carrier.push(`/carriers/v1/17track/${CONNECTION_ID}`, body, headers);
    await merchant.untilStatus(poNumber, COMPLETED, WITHIN_MS);
  };

  const parcel = async (at: number): Promise<ParcelNumbers> => {
    const numbers = await submit(at);
    await clerk.report(clerk.event({ type: 'arrival', forecast_no: numbers.forecastNo }));
    await merchant.untilStatus(numbers.poNumber, ARRIVED, WITHIN_MS);
    if (at < DELIVERED) await deliver(numbers);
    return numbers;
  };
  const parcels = await Promise.all(Array.from({ length: PARCELS }, (_, at) => parcel(at)));
  await clerk.report(clerk.weighing({ express_no: WAITING_NUMBER }));
  return parcels;
}
