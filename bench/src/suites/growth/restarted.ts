import { residentMegabytesOf } from '../../process-usage.ts';
import { shown } from '../../stages-of-sizes.ts';
import type { SuiteOptions } from '../../suite.ts';
import type { GrownStage } from './grown-stage.ts';
import type { StartOfSize } from './growth-tables.ts';

/** Starts a platform again on its data. */
export async function restarted(options: SuiteOptions, { parcels, stage: { platform }, stores }: GrownStage): Promise<StartOfSize> {
  options.progress(`starting the platform of ${shown(parcels)} parcels again`);
  await platform.stop();
  const begun = performance.now();
  await platform.start();
  const start = performance.now() - begun;
  const pids = stores.kind === 'sqlite' ? [platform.pid] : platform.services().flatMap(({ pid }) => (pid === null ? [] : [pid]));
  return { parcels, start, memory: pids.reduce((sum, pid) => sum + residentMegabytesOf(pid), 0) };
}
