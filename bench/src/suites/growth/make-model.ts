import type { UploadedFile } from '@parcelway/contracts/file-api';
import { Merchant } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { recentRow, type SourceServer } from '@parcelway/harness/sources/source-server';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import type { Stage } from '../../stage.ts';
import { DELIVERED, PARCELS, type ParcelNumbers, WAITING_NUMBER } from './model.ts';

/** Three busy platforms on few processors take their time. */
const WITHIN_MS = 120_000;
const MINUTES = 10;
const STAGES = ['info received', 'picked up', 'in transit', 'delivered'] as const;
const COMPLETED = 6;
const ARRIVED = 2;

/** Where pushes about the parcels go to. */
export const CONNECTION_ID = 'bench';

/** The parcels of a platform, and who reports what becomes of them. */
interface World {
  readonly merchant: Merchant;
  readonly clerk: WarehouseClerk;
  readonly vendor: SourceServer;
  /** Sends a push about a parcel. */
  push(trackingNumber: string): Promise<void>;
}

/** Submits a parcel with its own PDF, then opens its product label. */
async function submitted({ merchant }: World, at: number): Promise<ParcelNumbers> {
  const numbers = { poNumber: `GROWPO-${at}-00000000`, inboundNumber: `GROWIN${at}0000000000`, outboundNumber: `GROWUT${at}0000000000` };
  const { data } = await merchant.client.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf(`label ${at}`));
  const files = { shippingLabel: data.url, shippingNote: data.url };
  const { forecast_no } = await merchant.submit({
    poNumber: numbers.poNumber,
    trackingNumber: numbers.inboundNumber,
    items: 2,
    ...files,
  });
  await merchant.client.fetchBytes((await merchant.forecast(numbers.poNumber)).marketplace_label);
  return { forecastNo: forecast_no, ...numbers };
}

async function delivered(world: World, { forecastNo, poNumber, outboundNumber }: ParcelNumbers): Promise<void> {
  const { merchant, clerk, vendor, push } = world;
  const { photo_id } = await clerk.photo();
  await clerk.report(clerk.weighing({ forecast_no: forecastNo, photo_ids: [photo_id] }));
  await merchant.untilWeighing(poNumber, ({ weight_kg }) => weight_kg !== null, WITHIN_MS);
  const dispatch = { type: 'dispatch', forecast_no: forecastNo, carrier_code: 'bench-carrier', tracking_number: outboundNumber };
  await clerk.report(clerk.event(dispatch));
  await merchant.untilShipped(poNumber, WITHIN_MS);
  vendor.addRows(outboundNumber, ...STAGES.map((stage, index) => recentRow(stage, (STAGES.length - index) * MINUTES)));
  await push(outboundNumber);
  await merchant.untilStatus(poNumber, COMPLETED, WITHIN_MS);
}

/** Takes parcels through everything that happens to one, on a platform that has none yet. @param stage asks the vendor for connection {@link CONNECTION_ID} */
export async function makeModel(stage: Stage, vendor: SourceServer): Promise<readonly ParcelNumbers[]> {
  const { platform, warehouseCode } = stage;
  const carrier = stage.referenceClient(platform.quickstart.base_url, 1);
  const identity = { tenantId: platform.quickstart.tenant.id, keyId: '', key: stage.tenantKey, warehouseCode };
  const clerk = new WarehouseClerk(platform.client(stage.warehouseKey), warehouseCode);
  const world: World = {
    merchant: new Merchant(platform.client(stage.tenantKey), identity),
    clerk,
    vendor,
    async push(trackingNumber) {
      const { body, headers } = vendor.signPush(trackingNumber);
      await carrier.push(`/carriers/v1/17track/${CONNECTION_ID}`, body, headers);
    },
  };
  const parcel = async (at: number): Promise<ParcelNumbers> => {
    const numbers = await submitted(world, at);
    await clerk.report(clerk.event({ type: 'arrival', forecast_no: numbers.forecastNo }));
    await world.merchant.untilStatus(numbers.poNumber, ARRIVED, WITHIN_MS);
    if (at < DELIVERED) await delivered(world, numbers);
    return numbers;
  };
  const parcels = await Promise.all(Array.from({ length: PARCELS }, (_, at) => parcel(at)));
  await clerk.report(clerk.weighing({ express_no: WAITING_NUMBER }));
  return parcels;
}
