import type { Row } from '../report.ts';
import type { Suite, SuiteOptions } from '../suite.ts';
import { measureLoad } from '../webhooks/measure.ts';
import { outpostKind } from '../webhooks/outpost/outpost-side.ts';
import { findPeerPrograms, outpostVersion } from '../webhooks/outpost/peer-programs.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { costTable, loadTable } from '../webhooks/report/report.ts';
import { type LoadResult, typicalRuns } from '../webhooks/report/summary.ts';
import { type Load, loadsOf } from '../webhooks/shapes.ts';
import { distributedKind } from '../webhooks/sides/distributed.ts';
import { embeddedKind } from '../webhooks/sides/embedded.ts';
import type { SideKind } from '../webhooks/sides/side.ts';

async function measureOn(kind: SideKind, load: Load, { progress, deliveries: { seconds } }: SuiteOptions): Promise<LoadResult> {
  const receiver = await startReceiver();
  try {
    const side = await kind();
    try {
      progress(`${side.name}: ${load.name} for ${seconds} s`);
      return await measureLoad({ load, seconds, side, receiver, progress });
    } finally {
      await side.close();
    }
  } finally {
    await receiver.close();
  }
}

/** Finds the peer; without it the run continues, and says why. */
async function openPeer({ skip }: SuiteOptions): Promise<readonly SideKind[]> {
  try {
    const programs = findPeerPrograms();
    return [outpostKind(programs, await outpostVersion(programs))];
  } catch (error) {
    // The last line of a failed program names the cause.
    skip(`Outpost, which is not available: ${String(error).trim().split('\n').at(-1)?.trim()}`);
    return [];
  }
}

/** Deliveries of the webhook service alone under loads of several shapes, next to Outpost where it is asked for. Each load is measured in turn on all sides, so that conditions are equal. */
export const deliveries: Suite = async (options): Promise<readonly Row[]> => {
  const { servers, table } = options;
  const { shapes, seconds, cycles, peer } = options.deliveries;
  const kinds = [servers === undefined ? embeddedKind : await distributedKind(servers), ...(peer ? await openPeer(options) : [])];
  const results: LoadResult[][] = kinds.map(() => []);
  const failures: string[] = [];
  for (const load of shapes.flatMap(loadsOf).flatMap((one) => Array.from({ length: cycles }, () => one))) {
    for (const [index, kind] of kinds.entries()) {
      try {
        results[index]?.push(await measureOn(kind, load, options));
      } catch (error) {
        failures.push(`${load.name}: ${(error as Error).stack}`);
        options.progress(`failed: ${failures.at(-1)}`);
      }
    }
  }
  const runs = results.flatMap(typicalRuns);
  table(loadTable(runs, seconds, cycles));
  table(costTable(runs));
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return [];
};
