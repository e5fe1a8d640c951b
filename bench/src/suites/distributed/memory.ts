import { startScript } from '../../child-server.ts';
import { closedLoop } from '../../closed-loop.ts';
import { type DistributedStage, serviceProcesses } from '../../distributed-stage.ts';
import { residentMegabytesOf, residentMegabytesOfTree } from '../../process-usage.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { pause, type SuiteOptions } from '../../suite.ts';
import { submitFor } from '../submissions.ts';

const CONCURRENCY = 50;
const SAMPLE_EVERY_MS = 250;
const REFERENCE = 'reference';

/** Resident memory of each process by its name, MiB. */
type Memory = Readonly<Record<string, number>>;

/** The most that each process had while something ran. */
async function peakDuring(look: () => Memory, work: Promise<unknown>): Promise<Memory> {
  let peak = look();
  const update = (): void => {
    peak = Object.fromEntries(Object.entries(look()).map(([name, now]) => [name, Math.max(now, peak[name] ?? 0)]));
  };
  const timer = setInterval(update, SAMPLE_EVERY_MS);
  try {
    await work;
    update();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

function rowsOf(when: string, memory: Memory): Row[] {
  const { [REFERENCE]: reference = 0, ...ours } = memory;
  const about = { suite: 'memory', unit: 'MiB', reference: 'node:http, constant response', better: 'lower' as const };
  const all = Object.values(ours).reduce((sum, one) => sum + one, 0);
  return [...Object.entries(ours), ['all processes', all] as const].map(([name, one]) =>
    rowOf({ ...about, name: `Memory ${when}, ${name}` }, [{ ours: one, reference }]),
  );
}

/** Resident memory of each service with the processes that it starts, and of the one that starts them all, at rest, under submissions, and some time after. */
export async function memory(options: SuiteOptions, stage: DistributedStage): Promise<readonly Row[]> {
  const { measureMs, quick } = options.scale;
  const bare = await startScript<{ origin: string }>('processes/constant-server.js');
  try {
    const look = (): Memory => ({
      ...Object.fromEntries(serviceProcesses.map((service) => [service, residentMegabytesOfTree(stage.pidsOf(service)[0] as number)])),
      // All the others descend from it.
      supervisor: residentMegabytesOf(stage.platform.pid),
      [REFERENCE]: residentMegabytesOf(bare.pid),
    });
    options.progress('memory at rest');
    await pause(quick ? 1000 : 5000);
    const atRest = look();
    options.progress('memory under load');
    const merchant = stage.client(stage.tenantKey, CONCURRENCY);
    const outsider = stage.referenceClient(bare.info.origin, CONCURRENCY);
    const load = async (): Promise<void> => {
      await submitFor(merchant, stage.warehouseCode, 1, 2 * measureMs);
      await closedLoop(CONCURRENCY, measureMs / 2, () => outsider.send('GET', '/', null));
      await stage.log.settled();
    };
    const loaded = await peakDuring(look, load());
    return [...rowsOf('at rest', atRest), ...rowsOf('under load, peak', loaded)];
  } finally {
    await bare.stop();
  }
}
