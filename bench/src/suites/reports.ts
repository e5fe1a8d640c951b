import { until } from '@parcelway/kernel/testing/until';
import { closedLoopOf } from '../closed-loop.ts';
import { type Parcel, submitParcels, weighingOf } from '../parcels.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { rowOf } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { inCycles, pause, type Suite } from '../suite.ts';

const CONNECTIONS = 8;
/** A platform that uses less of a processor than this has nothing to do. */
const IDLE_SHARE = 0.04;
const WINDOW_MS = 500;

/** Waits until the process has nothing to do any more: what its events cause is done. */
async function settled(pid: number): Promise<void> {
  const isIdle = async (): Promise<boolean> => {
    const before = exactCpuMicrosecondsOf(pid);
    await pause(WINDOW_MS);
    return exactCpuMicrosecondsOf(pid) - before < IDLE_SHARE * WINDOW_MS * 1000;
  };
  await until(async () => (await isIdle()) && (await isIdle()), {
    within: 120_000,
    what: 'the platform to have nothing to do',
    everyMs: 1,
  });
}

async function report(warehouse: RawClient, warehouseCode: string, parcels: readonly Parcel[]): Promise<void> {
  let next = 0;
  await closedLoopOf(CONNECTIONS, parcels.length, () => {
    const parcel = parcels[next] as Parcel;
    next += 1;
    return warehouse.send('POST', '/warehouse/v1/events', weighingOf(warehouseCode, parcel));
  });
}

/** CPU time of a weighing over all that it causes, until the platform is idle again: the event, the forecast, the view, the merchant's events. */
export const reports: Suite = (options) =>
  onStage(async ({ platform, tenantKey, warehouseKey, warehouseCode, client }) => {
    const count = options.scale.quick ? 100 : 500;
    const [merchant, warehouse] = [client(tenantKey, 50), client(warehouseKey, CONNECTIONS)];
    const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = exactCpuMicrosecondsOf(platform.pid);
      await work();
      await settled(platform.pid);
      return (exactCpuMicrosecondsOf(platform.pid) - before) / count;
    };
    const cycle = async () => {
      const parcels = await submitParcels(merchant, warehouseCode, count);
      await settled(platform.pid);
      return {
        ours: await cpuOf(() => report(warehouse, warehouseCode, parcels)),
        reference: await cpuOf(() => closedLoopOf(CONNECTIONS, count, () => warehouse.send('GET', '/healthz', null))),
      };
    };
    await cycle();
    const samples = await inCycles(options, 'weighings reported', cycle);
    const about = { suite: 'reports', name: 'Weighing reported over HTTP, CPU', unit: 'µs', reference: 'GET /healthz' };
    return [rowOf({ ...about, better: 'lower' }, samples)];
  });
