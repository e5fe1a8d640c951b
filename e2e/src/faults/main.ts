import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allFaults } from './all-faults.ts';
import type { Fault, FaultReport } from './fault.ts';
import { faultDocument } from './fault-document.ts';
import { FaultServers } from './fault-servers.ts';
import { summaryOf } from './report.ts';
import { FaultPlatform } from './run-fault.ts';

/*
 * npm run test:faults -- [--only TEXT,…] [--soak SECONDS] [--write docs/faults.md] [--json] [--keep] [--report FILE] [--merge FILE,…]: breaks
 * real servers and processes under load, and lets the ledger judge. --only takes faults whose group or name has one of the texts; --keep
 * leaves the servers up. A run may be shared out: --report writes what a part came to, --merge takes such parts in with what runs now, and
 * does again what had failed.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'string' },
    soak: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
    merge: { type: 'string', default: '' },
  },
});

const say = (text: string): void => {
  if (!values.json) process.stdout.write(`${text}\n`);
};

/** Faults that can share a platform: the same servers, reached in the same way, with the same variables. */
const keyOf = ({ proxied = [], env = {} }: Fault): string => JSON.stringify([proxied, env]);

async function runOn(servers: FaultServers, faults: readonly Fault[]): Promise<FaultReport[]> {
  const reports: FaultReport[] = [];
  for (const key of new Set(faults.map(keyOf))) {
    const alike = faults.filter((fault) => keyOf(fault) === key);
    const platform = await FaultPlatform.start(servers, alike[0] as Fault);
    try {
      for (const fault of alike) {
        const report = await platform.run(fault);
        reports.push(report);
        say(
          `${report.violations.length === 0 ? 'ok  ' : 'FAIL'}  ${fault.group}: ${fault.name} (${report.observed}; quiet after ${report.quietAfterS.toFixed(0)} s)`,
        );
        if (report.violations.length === 0) continue;
        for (const violation of report.violations.slice(0, 10)) say(`        ${violation}`);
        const log = join(tmpdir(), `parcelway-fault-${process.pid}-${reports.length}.log`);
        writeFileSync(log, platform.log);
        say(`        log: ${log}`);
      }
    } finally {
      await platform.stop();
    }
  }
  return reports;
}

const faults = allFaults(Number(values.soak));
const nameOf = ({ group, name }: Pick<Fault, 'group' | 'name'>): string => `${group}: ${name}`;
const texts = values.only.toLowerCase().split(',');
const isChosen = (name: string): boolean => texts.some((text) => name.toLowerCase().includes(text));
const read = values.merge.split(',').flatMap((file) => (file === '' ? [] : (JSON.parse(readFileSync(file, 'utf8')) as FaultReport[])));
// What failed and is chosen is done again; of what was done twice, the last counts.
const kept = read.filter(({ fault, violations }) => violations.length === 0 || !isChosen(nameOf(fault)));
const merged = [...new Map(kept.map((report) => [nameOf(report.fault), report])).values()];
const done = new Set(merged.map(({ fault }) => nameOf(fault)));
const wanted = faults.filter((fault) => isChosen(nameOf(fault)) && !done.has(nameOf(fault)));
if (wanted.length === 0 && merged.length === 0) throw new Error(`No fault has "${values.only}" in its name`);
const startedAt = performance.now();
const reports: FaultReport[] = [...merged];
for (const make of ['single', 'cluster'] as const) {
  const onThese = wanted.filter(({ servers }) => servers === make);
  if (onThese.length === 0) continue;
  say(`servers: ${make}, ${onThese.length} faults`);
  const servers = await FaultServers.up(make);
  try {
    reports.push(...(await runOn(servers, onThese)));
  } finally {
    if (!values.keep) await servers.down();
  }
}
const inOrder = faults.flatMap((fault) => reports.filter((report) => nameOf(report.fault) === nameOf(fault)));
const minutes = (performance.now() - startedAt) / 60_000;
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(inOrder));
if (values.json) process.stdout.write(`${JSON.stringify(inOrder)}\n`);
say(`\n${summaryOf(inOrder)} ${minutes.toFixed(1)} min.`);
if (values.write !== undefined) writeFileSync(values.write, faultDocument(inOrder));
process.exitCode = inOrder.some(({ violations }) => violations.length > 0) ? 1 : 0;
