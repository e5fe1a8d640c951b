import type { IssuedKey, Tenant } from '@parcelway/contracts/admin-api';
import { type DistributedStage, serviceProcesses } from '../../distributed-stage.ts';
import { exactCpuMicrosecondsOf, exactCpuMicrosecondsOfTree } from '../../process-usage.ts';
import type { RawClient } from '../../raw-client.ts';
import { type DemandCounter, openDemandCounter } from '../mongo-demand.ts';
import { type References, startReferences } from './references.ts';

const CONNECTIONS = 50;
/** Far above every load: a request asks Redis for its place in the limit, as it does outside of benchmarks. */
const RATE_LIMIT = { per_second: 100_000, burst: 1_000_000 };

/** What the works of this suite are measured with. */
export interface Rig {
  readonly stage: DistributedStage;
  readonly references: References;
  /** What the servers are asked for. */
  readonly demand: DemandCounter;
  /** A merchant with a webhook endpoint for weighings. */
  readonly merchant: RawClient;
  /** A merchant without one. */
  readonly quietMerchant: RawClient;
  readonly warehouse: RawClient;
  /** CPU time so far of each service, with the processes that it has started (`file` inspects PDFs in one), and of each reference, microseconds. */
  cpu(): Readonly<Record<string, number>>;
}

/** Issues keys and starts the references on a stage, lets `use` measure, and ends what was started. */
export async function onRig<T>(stage: DistributedStage, use: (rig: Rig) => Promise<T>): Promise<T> {
  const admin = stage.platform.admin();
  const issue = async (holder: object): Promise<RawClient> => {
    const { key } = await admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { ...holder, rate_limit: RATE_LIMIT } });
    return stage.client(key, CONNECTIONS);
  };
  const { id } = await admin.expectOk<Tenant>('/admin/v1/tenants', { body: { name: 'Without webhooks' } });
  const { tenant, warehouse } = stage.platform.quickstart;
  const references = await startReferences(stage);
  const demand = await openDemandCounter(stage);
  try {
    return await use({
      stage,
      references,
      demand,
      merchant: await issue({ tenant_id: tenant.id }),
      quietMerchant: await issue({ tenant_id: id }),
      warehouse: await issue({ warehouse_code: warehouse.code }),
      cpu() {
        const services = serviceProcesses.map((name) => [name, sumOf(stage.pidsOf(name).map(exactCpuMicrosecondsOfTree))] as const);
        const others = Object.entries(references.pids).map(([name, pid]) => [name, exactCpuMicrosecondsOf(pid)] as const);
        return Object.fromEntries([...services, ...others]);
      },
    });
  } finally {
    await demand.close();
    await references.stop();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
