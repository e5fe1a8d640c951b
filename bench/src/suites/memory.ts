import { startScript } from '../child.ts';
import { closedLoop } from '../closed-loop.ts';
import { submitFor } from '../parcels.ts';
import { residentMegabytesOf, residentMegabytesOfTree } from '../process-usage.ts';
import { onReceivingStage } from '../receiving-stage.ts';
import { type Row, rowOf } from '../report.ts';
import { pause, type Suite } from '../suite.ts';

const CONCURRENCY = 50;
const SAMPLE_EVERY_MS = 100;
const REFERENCE = 'reference';

/** Resident memory by process, MiB. */
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

function rowsOf(when: string, { [REFERENCE]: reference = 0, ...ours }: Memory): Row[] {
  const about = { suite: 'memory', unit: 'MiB', reference: 'node:http, constant response', better: 'lower' as const };
  const all = Object.values(ours).reduce((sum, one) => sum + one, 0);
  const named = Object.keys(ours).length === 1 ? [] : Object.entries(ours).map(([name, one]) => [`Memory ${when}, ${name}`, one] as const);
  return [...named, [`Memory ${when}`, all] as const].map(([name, one]) => rowOf({ ...about, name }, [{ ours: one, reference }]));
}

/** Resident memory of each process of the platform at rest, under submissions, and some time after, next to a bare HTTP server. */
export const memory: Suite = (options) =>
  onReceivingStage(async (stage) => {
    const { measureMs, quick } = options.scale;
    const bare = await startScript<{ origin: string }>('processes/constant-server.js');
    try {
      const services = Object.entries(stage.pids()).filter(([, pid]) => pid !== stage.platform.pid);
      const look = (): Memory => ({
        // The services of distributed mode descend from it.
        platform: residentMegabytesOf(stage.platform.pid),
        ...Object.fromEntries(services.map(([name, pid]) => [name, residentMegabytesOfTree(pid)])),
        [REFERENCE]: residentMegabytesOf(bare.pid),
      });
      options.progress('memory at rest');
      await pause(quick ? 2000 : 8000);
      const atRest = look();
      options.progress('memory under load');
      const merchant = stage.client(stage.tenantKey, CONCURRENCY);
      const outsider = stage.referenceClient(bare.info.origin, CONCURRENCY);
      const load = async (): Promise<void> => {
        await submitFor(merchant, stage.warehouseCode, 2 * measureMs);
        await closedLoop(CONCURRENCY, measureMs, () => outsider.send('GET', '/', null));
      };
      const loaded = await peakDuring(look, load());
      await stage.settled();
      options.progress('memory after load');
      await pause(quick ? 2000 : 15_000);
      return [...rowsOf('at rest', atRest), ...rowsOf('under load, peak', loaded), ...rowsOf('after load', look())];
    } finally {
      await bare.end('SIGTERM');
    }
  });
