import { type DistributedStage, onDistributedStage } from './distributed-stage.ts';
import { ownSuites, stageSuites } from './distributed-suites.ts';
import type { Row } from './report/row.ts';
import type { Table } from './report/table.ts';
import type { BenchServers } from './servers.ts';
import type { Scale, SuiteOptions } from './suite.ts';

/** No cycle and no suite is begun later than this after the first, so that a slow machine ends too; a suite that takes longer gets what it takes. */
const TOTAL_SECONDS = 720;

/** Receives the progress. */
export interface Listener {
  progress(text: string): void;
  table(table: Table): void;
  skip(reason: string): void;
  /** A suite has failed; the others go on. */
  failed(name: string, error: unknown): void;
}

/** Measures the suites of distributed mode that are asked for, within some twelve minutes. */
export async function measureDistributed(
  only: readonly string[],
  scale: Scale,
  servers: BenchServers,
  listener: Listener,
): Promise<readonly Row[]> {
  const begun = performance.now();
  const seconds = only.map((name) => (stageSuites[name] ?? ownSuites[name])?.seconds ?? 0);
  const end = begun + Math.max(TOTAL_SECONDS, ...seconds) * 1000;
  const rows: Row[] = [];
  const progress = (text: string): void => listener.progress(`${((performance.now() - begun) / 1000).toFixed(0).padStart(3)} s  ${text}`);
  const measure = async (name: string, seconds: number, run: (options: SuiteOptions) => Promise<readonly Row[]>): Promise<void> => {
    const timeIsUp = ((): (() => boolean) => {
      const last = Math.min(end, performance.now() + seconds * 1000);
      return () => performance.now() > last;
    })();
    if (timeIsUp()) {
      listener.skip(`${name}: no time was left`);
      return;
    }
    try {
      rows.push(...(await run({ scale, progress, table: listener.table, skip: listener.skip, timeIsUp })));
    } catch (error) {
      listener.failed(name, error);
    }
  };
  const onStage = async (stage: DistributedStage): Promise<void> => {
    for (const [name, { run, seconds }] of Object.entries(stageSuites)) {
      if (only.includes(name)) await measure(name, seconds, (options) => run(options, stage, servers));
    }
  };
  if (only.some((name) => name in stageSuites)) {
    progress('starting the platform');
    await onDistributedStage(1, onStage);
  }
  for (const [name, { run, seconds }] of Object.entries(ownSuites)) {
    if (only.includes(name)) await measure(name, seconds, run);
  }
  progress('done');
  return rows;
}
