import { readFileSync } from 'node:fs';
import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { until } from '@parcelway/kernel/testing/until';
import { startReceiver } from '../../receiver.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { onStage, type Stage } from '../../stage.ts';
import { percentile } from '../../statistics.ts';
import { inCycles, type Suite, type SuiteOptions } from '../../suite.ts';
import { BusyTenantProcess, type BusyTenantResult } from './busy-tenant.ts';
import { type OtherTenants, type OtherTimes, timesOfOthers } from './other-tenants.ts';

const OTHERS = 3;
/** Far above every load: nothing but the shares of the machine is between the tenants. */
const RATE_LIMIT = { per_second: 100_000, burst: 1_000_000 };
const DRAINED_WITHIN_MS = 300_000;
/** The busy tenant begins so long before the others are measured. */
const AHEAD_MS = 1500;

interface Cycle {
  readonly alone: OtherTimes;
  readonly beside: OtherTimes;
  /** Submissions of the busy tenant a second, beside the others. */
  readonly busyPerSecond: number;
}

/** A tenant of its own with a webhook endpoint. @returns its key */
async function newTenant({ platform }: Stage, name: string, origin: string): Promise<string> {
  const admin = platform.admin();
  const { id } = await admin.expectOk<{ id: string }>('/admin/v1/tenants', { body: { name } });
  const { key } = await admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { tenant_id: id, rate_limit: RATE_LIMIT } });
  const endpoint = { url: `${origin}/webhooks`, event_types: ['parcel.weighed'] };
  await platform.client(key).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
  return key;
}

/** @param busyAlone submissions of the busy tenant a second without others */
function rowsOf(cycles: readonly Cycle[], busyAlone: number): readonly Row[] {
  const row = (name: string, times: (all: OtherTimes) => readonly number[]): Row =>
    rowOf(
      { suite: 'fairness', name, unit: 'ms', reference: 'the same without the busy tenant', better: 'lower' },
      cycles.map(({ alone, beside }) => ({ ours: percentile(times(beside), 95), reference: percentile(times(alone), 95) })),
    );
  return [
    row('Submission of others beside a busy tenant, p95', ({ submissions }) => submissions),
    row('Weighing to webhook of others beside a busy tenant, p95', ({ webhooks }) => webhooks),
    rowOf(
      {
        suite: 'fairness',
        name: 'Submissions of the busy tenant beside others',
        unit: '/s',
        reference: 'the same without the others',
        better: 'higher',
      },
      cycles.map(({ busyPerSecond }) => ({ ours: busyPerSecond, reference: busyAlone })),
    ),
  ];
}

/**
 * What one tenant that asks for as much as it can takes from the others: times of three tenants that submit a few forecasts a second and get a
 * webhook for each, without and with the busy one, which fills the machine; and what that costs the busy one.
 */
export async function fairnessOn(options: SuiteOptions, stage: Stage): Promise<readonly Row[]> {
  const receiver = await startReceiver();
  const busy = await BusyTenantProcess.start();
  try {
    const keys = await Promise.all(Array.from({ length: OTHERS }, (_, index) => newTenant(stage, `Other ${index + 1}`, receiver.origin)));
    const { warehouseCode, warehouseKey, origins, certFile } = stage;
    const warehouse = stage.client(warehouseKey, 16);
    const others: OtherTenants = { merchants: keys.map((key) => stage.client(key, 8)), warehouse, warehouseCode, receiver };
    const ca = readFileSync(certFile, 'utf8');
    const busyTenant = { origins, ca, key: await newTenant(stage, 'Busy', busy.origin), warehouseKey, warehouseCode };
    const milliseconds = 5 * options.scale.measureMs;
    let weighed = 0;
    const drained = async (done: BusyTenantResult): Promise<void> => {
      weighed += done.weighed;
      options.progress(`the busy tenant got ${done.submitted} submissions done`);
      const all = async (): Promise<boolean> => (await busy.received()) >= weighed;
      await until(all, { within: DRAINED_WITHIN_MS, what: 'the webhooks of the busy tenant', everyMs: 250 });
    };
    const besideBusy = async (): Promise<{ readonly times: OtherTimes; readonly done: BusyTenantResult }> => {
      const load = busy.run({ ...busyTenant, milliseconds: milliseconds + AHEAD_MS });
      await new Promise((resolve) => setTimeout(resolve, AHEAD_MS));
      const [times, done] = await Promise.all([timesOfOthers(others, milliseconds), load]);
      await drained(done);
      return { times, done };
    };
    // First of all: the gateway remembers for a while that others were there.
    options.progress('the busy tenant alone, warming up');
    await drained(await busy.run({ ...busyTenant, milliseconds }));
    options.progress('the busy tenant alone');
    const alone = await busy.run({ ...busyTenant, milliseconds });
    await drained(alone);
    options.progress('others, warming up');
    await timesOfOthers(others, milliseconds);
    const cycles = await inCycles(options, 'others alone and beside a busy tenant', async () => {
      const calm = await timesOfOthers(others, milliseconds);
      const { times, done } = await besideBusy();
      return { alone: calm, beside: times, busyPerSecond: done.perSecond };
    });
    return rowsOf(cycles, alone.perSecond);
  } finally {
    await busy.end();
    await receiver.close();
  }
}

/** The same on a platform of its own. */
export const fairness: Suite = (options) => onStage((stage) => fairnessOn(options, stage));
