import { writeFileSync } from 'node:fs';
import { killChildren } from '../child.ts';
import { watchOthers } from '../process-usage.ts';
import { type Conditions, describeConditions, machine, markdownReport, plainReport } from '../report.ts';
import { measureLoad } from './measure.ts';
import { readOptions, usage, type WebhookBenchOptions } from './options.ts';
import { outpostKind } from './outpost/outpost-side.ts';
import { findPeerPrograms, outpostVersion } from './outpost/peer-programs.ts';
import { startReceiver } from './receiver.ts';
import { describeCosts, describeCycles, describeNoise, loadTable } from './report/report.ts';
import { type LoadResult, typicalRuns } from './report/summary.ts';
import { type Load, loadsOf } from './shapes.ts';
import { openDistributedKind } from './sides/distributed.ts';
import { embeddedKind } from './sides/embedded.ts';
import type { SideKind } from './sides/side.ts';

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);
const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** What a run gave. */
interface Results {
  readonly conditions: Conditions;
  /** Length of each load, each time. */
  readonly seconds: number;
  /** How often each was measured. */
  readonly cycles: number;
  readonly runs: readonly LoadResult[];
  /** Results of the peer, if any. */
  readonly peerRuns: readonly LoadResult[];
  /** Why the requested peer is missing; null otherwise. */
  readonly peerMissing: string | null;
  /** Loads that could not be measured, and why. */
  readonly failed: readonly string[];
}

async function measureOn(kind: SideKind, load: Load, seconds: number): Promise<LoadResult> {
  const receiver = await startReceiver();
  try {
    const side = await kind.open();
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

/** Measures each load `cycles` times, on all sides in turn, so that conditions are equal. */
async function measureAll({ shapes, cycles, seconds }: WebhookBenchOptions, kinds: readonly SideKind[]) {
  const results: LoadResult[][] = kinds.map(() => []);
  const failed: string[] = [];
  const loads = shapes.flatMap((shape) => loadsOf(shape));
  for (const load of loads.flatMap((one) => Array.from({ length: cycles }, () => one))) {
    for (const [index, kind] of kinds.entries()) {
      try {
        results[index]?.push(await measureOn(kind, load, seconds));
      } catch (error) {
        failed.push(`${load.name}: ${textOf(error)}`);
        progress(`failed: ${failed.at(-1)}`);
      }
    }
  }
  const [runs = [], peerRuns = []] = results.map(typicalRuns);
  return { runs, peerRuns, failed };
}

/** Finds the peer. Never throws: the run continues without a peer. @returns the peer, or why it is missing */
async function openPeer(): Promise<SideKind | string> {
  try {
    const programs = findPeerPrograms();
    return outpostKind(programs, await outpostVersion(programs));
  } catch (error) {
    progress(String(error));
    // The last line of a failed program names the cause.
    return `Outpost is not available: ${String(error).trim().split('\n').at(-1)?.trim()}`;
  }
}

async function measure(options: WebhookBenchOptions): Promise<Results> {
  const peer = options.peer ? await openPeer() : undefined;
  const peerMissing = typeof peer === 'string' ? peer : null;
  if (peerMissing !== null) progress(`without a peer: ${peerMissing}`);
  const kind = options.mode === 'embedded' ? embeddedKind : await openDistributedKind(progress);
  try {
    const serversBefore = await kind.serverMicroseconds();
    const sharesSince = watchOthers();
    const measured = await measureAll(options, typeof peer === 'object' ? [kind, peer] : [kind]);
    const servers = await kind.serverMicroseconds();
    const conditions = { mode: options.mode, ...sharesSince(servers === undefined ? undefined : servers - (serversBefore ?? 0)) };
    return { conditions, seconds: options.seconds, cycles: options.cycles, peerMissing, ...measured };
  } finally {
    await kind.close();
  }
}

/** The complete report. @param report formats its table */
function describe({ conditions, seconds, cycles, runs, peerRuns, peerMissing }: Results, report: typeof plainReport): string {
  const all = [...runs, ...peerRuns];
  const without = peerMissing === null ? '' : `\n\nWithout a peer: ${peerMissing}`;
  return `${describeConditions(conditions)} ${describeCycles(seconds, cycles)}${describeNoise(conditions.others + conditions.stolen)}${without}\n\n${report([], [loadTable(all)])}\n\n${describeCosts(all)}`;
}

/** The options; undefined when they are wrong, which has been said then. */
function optionsOf(args: readonly string[]): WebhookBenchOptions | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n\n${usage()}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function run(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  if (options === undefined) return;
  if (options.help) return void process.stdout.write(usage());
  const results = await measure(options);
  if (options.json) {
    const { conditions, ...figures } = results;
    process.stdout.write(`${JSON.stringify({ ...machine(), ...conditions, ...figures })}\n`);
  } else process.stdout.write(`\n${describe(results, plainReport)}\n`);
  if (results.failed.length > 0) process.exitCode = 1;
  else if (options.write !== undefined) writeFileSync(options.write, `${describe(results, markdownReport)}\n`);
}

// Whatever was started ends with this process.
process.once('exit', killChildren);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${textOf(error)}\n`);
  process.exitCode = 1;
});
