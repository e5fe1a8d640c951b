import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { type DistributedStage, serviceProcesses } from '../../distributed-stage.ts';
import { exactCpuMicrosecondsOf } from '../../process-usage.ts';
import type { RawClient } from '../../raw-client.ts';
import type { BenchServers } from '../../servers.ts';

const CONNECTIONS = 50;
/** Far above every load: a request still asks for its place in the limit, as it does outside of benchmarks. */
const RATE_LIMIT = { per_second: 100_000, burst: 1_000_000 };

/** CPU time so far by process, microseconds. */
export type CpuByProcess = Readonly<Record<string, number>>;

/** What the costs are measured with. */
export interface CostRig {
  readonly stage: DistributedStage;
  /** A merchant with a webhook endpoint for weighings. */
  readonly merchant: RawClient;
  readonly warehouse: RawClient;
  /** CPU time so far of every service and every server; the replicas of one count together. */
  cpu(): CpuByProcess;
}

/** Issues keys without a limit that a load would reach, and lets `use` measure. */
export async function onCostRig(stage: DistributedStage, servers: BenchServers, use: (rig: CostRig) => Promise<void>): Promise<void> {
  const admin = stage.platform.admin();
  const { tenant, warehouse } = stage.platform.quickstart;
  const issue = async (holder: object): Promise<RawClient> => {
    const { key } = await admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { ...holder, rate_limit: RATE_LIMIT } });
    return stage.client(key, CONNECTIONS);
  };
  const pidsOfServers = await servers.pids();
  const sum = (pids: readonly number[]): number => pids.reduce((total, pid) => total + exactCpuMicrosecondsOf(pid), 0);
  await use({
    stage,
    merchant: await issue({ tenant_id: tenant.id }),
    warehouse: await issue({ warehouse_code: warehouse.code }),
    cpu: () =>
      Object.fromEntries([
        ...serviceProcesses.map((name) => [name, sum(stage.pidsOf(name))]),
        ...[...pidsOfServers].map(([name, pid]) => [name, sum([pid])]),
      ]),
  });
}
