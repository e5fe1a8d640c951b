import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readArguments, usage } from './arguments.ts';
import { watchOthers } from './process-usage.ts';
import { installPrograms } from './programs.ts';
import { withResults } from './report/document.ts';
import type { Row } from './report/row.ts';
import { markdownTable, plainTable } from './report/table.ts';
import { suites } from './suites.ts';

const names = Object.keys(suites);

function conditionsOf(othersShare: number): string {
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`;
  return `${machine}, ${Math.round(100 * othersShare)} % of them used by other programs meanwhile`;
}

/** Measures and reports. */
async function run(args: readonly string[]): Promise<void> {
  const options = readArguments(args, names);
  if (options.help) {
    process.stdout.write(usage(names));
    return;
  }
  const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);
  if (options.install) await installPrograms();
  const shareOfOthers = watchOthers();
  const rows: Row[] = [];
  const skipped: string[] = [];
  const skip = (reason: string): void => {
    skipped.push(reason);
    progress(`skipped: ${reason}`);
  };
  for (const name of options.only) rows.push(...((await suites[name]?.({ scale: options.scale, progress, skip })) ?? []));
  const othersShare = shareOfOthers();
  const conditions = conditionsOf(othersShare);
  if (options.json) {
    const machine = { node: process.versions.node, processors: availableParallelism(), othersShare };
    process.stdout.write(`${JSON.stringify({ ...machine, rows, skipped })}\n`);
  } else {
    const left = skipped.map((reason) => `\nSkipped ${reason}`).join('');
    process.stdout.write(`\n${conditions}\n\n${plainTable(rows)}\n${left}\n`);
  }
  if (options.write !== undefined) {
    const results = `\n${conditions}.\n\n${markdownTable(rows)}\n`;
    writeFileSync(options.write, withResults(readFileSync(options.write, 'utf8'), results));
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
