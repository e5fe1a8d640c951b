import { startScript } from '../child-server.ts';
import { closedLoop } from '../closed-loop.ts';
import { residentMegabytesOf } from '../process-usage.ts';
import { type Row, rowOf, type Sample } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { pause, type Suite } from '../suite.ts';
import { submitFor } from './submissions.ts';

const CONCURRENCY = 50;
const SAMPLE_EVERY_MS = 100;

/** The most memory that two processes had while something ran. */
async function peakDuring(pids: { readonly ours: number; readonly reference: number }, work: Promise<unknown>): Promise<Sample> {
  const peak = { ours: 0, reference: 0 };
  const look = (): void => {
    peak.ours = Math.max(peak.ours, residentMegabytesOf(pids.ours));
    peak.reference = Math.max(peak.reference, residentMegabytesOf(pids.reference));
  };
  const timer = setInterval(look, SAMPLE_EVERY_MS);
  try {
    await work;
    look();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

function row(name: string, sample: Sample): Row {
  return rowOf({ suite: 'memory', name, unit: 'MiB', reference: 'node:http, constant response', better: 'lower' }, [sample]);
}

/** Resident memory of the whole platform at rest, under submissions, and some time after, next to a bare HTTP server. */
export const memory: Suite = async (options) =>
  onStage(async (stage) => {
    const { measureMs, quick } = options.scale;
    const bare = await startScript<{ origin: string }>('processes/constant-server.js');
    try {
      const pids = { ours: stage.platform.pid, reference: bare.pid };
      const now = (): Sample => ({ ours: residentMegabytesOf(pids.ours), reference: residentMegabytesOf(pids.reference) });
      options.progress('memory at rest');
      await pause(quick ? 2000 : 8000);
      const atRest = now();
      options.progress('memory under load');
      const merchant = stage.client(stage.tenantKey, CONCURRENCY);
      const outsider = stage.referenceClient(bare.info.origin, CONCURRENCY);
      const loaded = await peakDuring(
        pids,
        submitFor(merchant, stage.warehouseCode, 1, 2 * measureMs).then(() =>
          closedLoop(CONCURRENCY, measureMs, () => outsider.send('GET', '/', null)),
        ),
      );
      options.progress('memory after load');
      await pause(quick ? 2000 : 15_000);
      return [row('Memory at rest', atRest), row('Memory under load, peak', loaded), row('Memory after load', now())];
    } finally {
      await bare.stop();
    }
  });
