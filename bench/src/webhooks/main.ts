import { writeFileSync } from 'node:fs';
import { killChildren } from '../child-server.ts';
import { watchOthers } from '../process-usage.ts';
import { type Conditions, describeConditions, machine } from '../report/conditions.ts';
import { measureLoad } from './measure.ts';
import { readOptions, usage, type WebhookBenchOptions } from './options.ts';
import { openPeer, type Peer } from './outpost/peer.ts';
import { startReceiver } from './receiver.ts';
import { typicalRuns } from './report/cycles.ts';
import { describeCosts, describeCycles, describeNoise, markdownLoads, plainLoads } from './report/report.ts';
import type { LoadResult } from './report/summary.ts';
import { type Load, loadsOf } from './shapes.ts';
import { openDistributedKind } from './sides/distributed.ts';
import { embeddedKind } from './sides/embedded.ts';
import type { SideKind } from './sides/side.ts';

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);

/** What a run gave. */
interface Results {
  readonly conditions: Conditions;
  /** Length of each load, each time. */
  readonly seconds: number;
  /** How often each was measured. */
  readonly cycles: number;
  readonly runs: readonly LoadResult[];
  readonly peer: { readonly name: string; readonly runs: readonly LoadResult[] } | null;
  /** Why there is no peer; null when there is one. */
  readonly peerMissing: string | null;
  /** Loads that could not be measured, and why. */
  readonly failed: readonly string[];
}

async function measureOn(kind: SideKind, load: Load, seconds: number): Promise<LoadResult> {
  const receiver = await startReceiver(kind.idHeader);
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

/** Measures every load as often as asked, ours and the peer's in turn, so that both meet the same conditions. */
async function measureAll(options: WebhookBenchOptions, kind: SideKind, peer: Peer) {
  const runs: LoadResult[] = [];
  const peers: LoadResult[] = [];
  const failed: string[] = [];
  const loads = options.shapes.flatMap((shape) => loadsOf(shape));
  for (const load of loads.flatMap((one) => Array.from({ length: options.cycles }, () => one))) {
    for (const [side, results] of [
      [kind, runs],
      [peer.kind, peers],
    ] as const) {
      if (side === null) continue;
      try {
        results.push(await measureOn(side, load, options.seconds));
      } catch (error) {
        failed.push(`${load.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        progress(`failed: ${failed.at(-1)}`);
      }
    }
  }
  return { runs, peers, failed };
}

async function measure(options: WebhookBenchOptions): Promise<Results> {
  const peer = await openPeer(options, progress);
  if (peer.missing !== null) progress(`without a peer: ${peer.missing}`);
  const kind = options.mode === 'embedded' ? embeddedKind : await openDistributedKind(progress);
  try {
    const serversBefore = await kind.serverMicroseconds();
    const sharesSince = watchOthers();
    const { runs, peers, failed } = await measureAll(options, kind, peer);
    const servers = await kind.serverMicroseconds();
    const shares = sharesSince(servers === undefined ? undefined : servers - (serversBefore ?? 0));
    return {
      conditions: { mode: options.mode, ...shares },
      seconds: options.seconds,
      cycles: options.cycles,
      runs: typicalRuns(runs),
      peer: peer.kind === null ? null : { name: peer.name, runs: typicalRuns(peers) },
      peerMissing: peer.missing,
      failed,
    };
  } finally {
    await kind.close();
    await peer.kind?.close();
  }
}

/** The whole of a report. @param table how the figures are set */
function describe(
  { conditions, seconds, cycles, runs, peer, peerMissing }: Results,
  table: (runs: readonly LoadResult[]) => string,
): string {
  const all = [...runs, ...(peer?.runs ?? [])];
  const without = peerMissing === null ? '' : `\n\nWithout a peer: ${peerMissing}`;
  return `${describeConditions(conditions)} ${describeCycles(seconds, cycles)}${describeNoise(conditions.others + conditions.stolen)}${without}\n\n${table(all)}\n\n${describeCosts(all)}`;
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
  } else process.stdout.write(`\n${describe(results, plainLoads)}\n`);
  if (results.failed.length > 0) process.exitCode = 1;
  else if (options.write !== undefined) writeFileSync(options.write, `${describe(results, markdownLoads)}\n`);
}

// Whatever was started ends with this process.
process.once('exit', killChildren);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
