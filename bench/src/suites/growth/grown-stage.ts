import type { ApiClient } from '@parcelway/harness/api-client';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { runScript } from '../../child.ts';
import { threadMicrosecondsOf } from '../../process-usage.ts';
import type { RawClient } from '../../raw-client.ts';
import { onReceivingStage } from '../../receiving-stage.ts';
import type { Stage } from '../../stage.ts';
import type { SuiteOptions } from '../../suite.ts';
import { numberOfCopy } from './copies.ts';
import { CONNECTION_ID, type FillOrder, makeModel, NUMBERS_OF_PARCEL, PARCELS, type ParcelNumbers, WAITING_NUMBER } from './model.ts';

/** Requests at the same time. */
export const CONNECTIONS = 4;
/** A tenant has about so many parcels: so many more tenants and keys a larger platform has. */
const PARCELS_OF_TENANT = 1_000;
/** Tenants that the smallest platform has, too: their list has several pages. */
const FIRST_TENANTS = 50;
const MOST_TENANTS_AT_ONCE = 8;

/** A platform with so many parcels. */
export interface GrownStage {
  readonly parcels: number;
  readonly stage: Stage;
  readonly merchant: RawClient;
  readonly warehouse: RawClient;
  /** For what only the carrier sends. */
  readonly outside: RawClient;
  readonly admin: ApiClient;
  readonly vendor: SourceServer;
  readonly endpointId: string;
  /** A delivered parcel whose files can be opened. */
  readonly original: ParcelNumbers;
  /** Numbers of one of the parcels that have been delivered. @param seed another number for another parcel */
  parcel(seed: number): ParcelNumbers;
  /** CPU time of the platform's main thread so far, microseconds. Rendering and garbage collection run on other threads. */
  cpu(): number;
}

/** A number as the report writes it. */
export const shown = (count: number): string => count.toLocaleString('en-US');

/** Adds tenants with a key each. */
async function addTenants(admin: ApiClient, count: number): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { id } = await admin.expectOk<{ id: string }>('/admin/v1/tenants', { body: { name: `Tenant ${left}` } });
      await admin.expectOk('/admin/v1/keys', { body: { tenant_id: id } });
    }
  };
  await Promise.all(Array.from({ length: MOST_TENANTS_AT_ONCE }, work));
}

/** Fills the stores of a platform and gives what is measured on it. */
async function grown({ progress }: SuiteOptions, stage: Stage, vendor: SourceServer, parcels: number): Promise<GrownStage> {
  const { platform } = stage;
  progress(`the first parcels of ${shown(parcels)}`);
  const models = await makeModel(stage, vendor);
  const numbers = [...models.flatMap((model) => NUMBERS_OF_PARCEL.map((name) => model[name])), WAITING_NUMBER];
  const copies = Math.max(0, Math.round(parcels / PARCELS) - 1);
  const order: FillOrder = { directory: platform.dataDirectory, copies, numbers };
  const { perSecond } = await runScript<{ perSecond: number }>('processes/growth-fill.js', [JSON.stringify(order)]);
  progress(`${shown(parcels)} parcels are stored, ${shown(Math.round(perSecond * PARCELS))} a second`);
  const admin = platform.admin();
  await addTenants(admin, FIRST_TENANTS + Math.round(parcels / PARCELS_OF_TENANT));
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const { endpoints } = await merchant.get<{ endpoints: { endpoint_id: string }[] }>('/open/v1/webhook-endpoints');
  const parcel = (seed: number): ParcelNumbers => {
    const index = 1 + ((Math.imul(seed, 0x9e3779b1) >>> 0) % copies);
    return Object.fromEntries(NUMBERS_OF_PARCEL.map((name, at) => [name, numberOfCopy(numbers, at, index)])) as ParcelNumbers;
  };
  return {
    parcels,
    stage,
    merchant,
    warehouse: stage.client(stage.warehouseKey, CONNECTIONS),
    outside: stage.referenceClient(platform.quickstart.base_url, CONNECTIONS),
    admin,
    vendor,
    endpointId: (endpoints[0] as { endpoint_id: string }).endpoint_id,
    original: models[0] as ParcelNumbers,
    parcel,
    cpu: () => threadMicrosecondsOf(platform.pid, platform.pid),
  };
}

/** Starts one platform per size and passes them all to `use`, so that they can be measured in turns. */
export function onGrownStages(
  options: SuiteOptions,
  vendor: SourceServer,
  [parcels, ...more]: readonly number[],
  use: (stages: readonly GrownStage[]) => Promise<void>,
): Promise<void> {
  if (parcels === undefined) return use([]);
  // The vendor's limits would be what is measured.
  const limits = { requests_per_second: 1_000, calls_per_day: 100_000_000, fetches_per_parcel_per_day: 1_000 };
  const { baseUrl, credentials } = vendor;
  const connection = { id: CONNECTION_ID, source: '17track', base_url: baseUrl, carriers: ['*'], credentials, limits };
  return onReceivingStage(
    async (stage) => {
      const one = await grown(options, stage, vendor, parcels);
      await onGrownStages(options, vendor, more, (others) => use([one, ...others]));
    },
    { TRACKING_SOURCES: JSON.stringify([connection]) },
  );
}
