import { readFileSync } from 'node:fs';
import type { ApiClient } from '@parcelway/harness/api-client';
import { platformMode } from '@parcelway/harness/installation';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { runScript } from '../../child-server.ts';
import type { RawClient } from '../../raw-client.ts';
import { onReceivingStage } from '../../receiving-stage.ts';
import type { Stage } from '../../stage.ts';
import { shown } from '../../stages-of-sizes.ts';
import type { SuiteOptions } from '../../suite.ts';
import { mongoServerPid } from '../mongo-server.ts';
import { numberOfCopy } from './copies.ts';
import { CONNECTION_ID, makeModel } from './make-model.ts';
import { AGE_STEP_MS, type FillOrder, NUMBERS_OF_PARCEL, PARCELS, type ParcelNumbers, WAITING_NUMBER } from './model.ts';

/** Requests at the same time. */
export const CONNECTIONS = 4;
/** A tenant has about so many parcels: so many more tenants and keys a larger platform has. */
const PARCELS_OF_TENANT = 1_000;
/** Tenants that the smallest platform has, too: their list has several pages. */
const FIRST_TENANTS = 50;
const MOST_TENANTS_AT_ONCE = 8;

/** Processes whose CPU time counts. */
export interface Processes {
  /** Of the platform, by their names. */
  readonly services: Readonly<Record<string, number>>;
  /** Of the database, which all platforms share; undefined where the platform has files. */
  readonly server: number | undefined;
}

/** A platform with so many parcels. */
export interface GrownStage {
  readonly parcels: number;
  readonly stage: Stage;
  /** Where the stores are: for a script that opens them. */
  readonly stores: Pick<FillOrder, 'kind' | 'place'>;
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
  /** CPU time so far of the platform's processes, and of the database's; microseconds. */
  cpu(): { readonly services: number; readonly server: number };
  /** CPU time so far of each of the platform's processes; microseconds. */
  cpuByService(): Readonly<Record<string, number>>;
}

/** CPU time of the main thread: labels are rendered, and memory is cleared, in others (proc(5), schedstat: nanoseconds on a processor). */
function mainThreadMicroseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000;
}

function processMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const mainThreadsOf = (services: Processes['services']): Record<string, number> =>
  Object.fromEntries(Object.entries(services).map(([name, pid]) => [name, mainThreadMicroseconds(pid)]));

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
async function grown(
  options: SuiteOptions,
  stage: Stage,
  vendor: SourceServer,
  { stores, parcels, processes }: { readonly parcels: number; readonly processes: Processes } & Pick<GrownStage, 'stores'>,
): Promise<GrownStage> {
  options.progress(`the first parcels of ${shown(parcels)}`);
  const models = await makeModel(stage, vendor);
  const numbers = [...models.flatMap((model) => NUMBERS_OF_PARCEL.map((name) => model[name])), WAITING_NUMBER];
  const copies = Math.max(0, Math.round(parcels / PARCELS) - 1);
  const order: FillOrder = { ...stores, copies, numbers, ageStepMs: AGE_STEP_MS };
  const { perSecond } = await runScript<{ perSecond: number }>('processes/growth-fill.js', [JSON.stringify(order)]);
  options.progress(`${shown(parcels)} parcels are stored, ${shown(Math.round(perSecond * PARCELS))} a second`);
  const admin = stage.platform.admin();
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
    stores,
    merchant,
    warehouse: stage.client(stage.warehouseKey, CONNECTIONS),
    outside: stage.referenceClient(stage.platform.quickstart.base_url, CONNECTIONS),
    admin,
    vendor,
    endpointId: (endpoints[0] as { endpoint_id: string }).endpoint_id,
    original: models[0] as ParcelNumbers,
    parcel,
    cpu: () => ({
      services: sum(Object.values(mainThreadsOf(processes.services))),
      server: processes.server === undefined ? 0 : processMicroseconds(processes.server),
    }),
    cpuByService: () => mainThreadsOf(processes.services),
  };
}

type Use<T> = (stage: GrownStage) => Promise<T>;

function envOf({ baseUrl, credentials }: SourceServer): Record<string, string> {
  // The vendor's limits would be what is measured.
  const limits = { requests_per_second: 1_000, calls_per_day: 100_000_000, fetches_per_parcel_per_day: 1_000 };
  const connection = { id: CONNECTION_ID, source: '17track', base_url: baseUrl, carriers: ['*'], credentials, limits };
  return { TRACKING_SOURCES: JSON.stringify([connection]) };
}

/** Starts a platform, has it store so many parcels, lets `use` work with it, and clears it away. */
export function onGrownStage<T>(options: SuiteOptions, vendor: SourceServer, parcels: number, use: Use<T>): Promise<T> {
  return onReceivingStage(async (stage) => {
    const { platform } = stage;
    const isEmbedded = platformMode() === 'embedded';
    const stores = isEmbedded
      ? ({ kind: 'sqlite', place: platform.dataDirectory } as const)
      : ({ kind: 'mongo', place: platform.servers['RESOURCE_PREFIX'] ?? '' } as const);
    const services = isEmbedded ? { platform: platform.pid } : stage.pids();
    const server = isEmbedded ? undefined : await mongoServerPid();
    return use(await grown(options, stage, vendor, { stores, parcels, processes: { services, server } }));
  }, envOf(vendor));
}
