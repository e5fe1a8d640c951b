import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault, FaultReport } from './fault.ts';
import { FaultServers } from './fault-servers.ts';
import { FaultPlatform } from './run-fault.ts';

/** How faults are run. */
export interface RunOptions {
  /** Leaves the servers up. */
  readonly keep: boolean;
  /** Gets each report as soon as it is there. @param log of the platform so far */
  onReport(report: FaultReport, log: () => string): void;
  say(text: string): void;
}

/** Faults that can share a platform: the same servers, reached in the same way, with the same variables. */
const platformKeyOf = ({ proxied = [], env = {} }: Fault): string => JSON.stringify([proxied, env]);

async function runOn(servers: FaultServers, faults: readonly Fault[], { onReport }: RunOptions): Promise<void> {
  for (const key of new Set(faults.map(platformKeyOf))) {
    const alike = faults.filter((fault) => platformKeyOf(fault) === key);
    const platform = await FaultPlatform.start(servers, alike[0] as Fault);
    try {
      for (const fault of alike) onReport(await platform.run(fault), () => platform.log);
    } finally {
      await platform.stop();
    }
  }
}

/** Runs faults on servers of their own: first those of single servers, then those of clusters, then those of brokers with their own settings. */
export async function runFaults(faults: readonly Fault[], options: RunOptions): Promise<void> {
  for (const make of ['single', 'cluster', 'defaults'] as const) {
    const onThese = faults.filter(({ servers }) => servers === make);
    if (onThese.length === 0) continue;
    options.say(`servers: ${make}, ${onThese.length} faults`);
    const servers = await FaultServers.up(make);
    try {
      await runOn(servers, onThese, options);
    } finally {
      if (!options.keep) await servers.down();
    }
  }
}

/** Writes what a platform has logged. @returns the file */
export function writeLog(log: string, index: number): string {
  const file = join(tmpdir(), `parcelway-fault-${process.pid}-${index}.log`);
  writeFileSync(file, log);
  return file;
}
