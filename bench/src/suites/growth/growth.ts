import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import type { Mode } from '../../arguments.ts';
import type { Row } from '../../report/row.ts';
import { onStagesOfSizes } from '../../stages-of-sizes.ts';
import type { Suite, SuiteOptions } from '../../suite.ts';
import { adminOperations } from './admin-operations.ts';
import { type GrownStage, onGrownStage } from './grown-stage.ts';
import { cpuTable, growing, latencyTable, MOST_GROWTH, sizeTable, startTable } from './growth-tables.ts';
import { measureGrowth } from './measure.ts';
import { merchantOperations } from './merchant-operations.ts';
import { restarted } from './restarted.ts';
import { sizesOf } from './store-sizes.ts';
import { warehouseOperations } from './warehouse-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

const SIZES: Readonly<Record<Mode, { readonly full: readonly number[]; readonly quick: readonly number[] }>> = {
  embedded: { full: [1_000, 10_000, 100_000, 1_000_000], quick: [1_000, 2_000] },
  // Several disks would acknowledge a million for too long.
  distributed: { full: [1_000, 10_000, 100_000, 300_000], quick: [1_000, 2_000] },
};
/** Operations of a turn. */
const COUNT = { full: 40, quick: 8 } as const;
const CYCLES = { full: 4, quick: 1 } as const;
/** No further cycle is begun so long after the stores are filled. */
const CYCLES_WITHIN_MS = 600_000;

const operations = [...merchantOperations, ...warehouseOperations, ...webhookOperations, ...adminOperations];

/** `GROWTH_SIZES=1000,100000`: other sizes, to look at one thing closely. */
function sizesFor(mode: Mode, quick: boolean): readonly number[] {
  const given = process.env['GROWTH_SIZES'];
  return given === undefined ? SIZES[mode][quick ? 'quick' : 'full'] : given.split(',').map(Number);
}

async function measure(given: SuiteOptions, stages: readonly GrownStage[]): Promise<void> {
  const begun = performance.now();
  const sizes = stages.map(({ parcels }) => parcels);
  const { quick } = given.scale;
  const timeIsUp = (): boolean => given.timeIsUp() || performance.now() - begun > CYCLES_WITHIN_MS;
  const options = { ...given, timeIsUp, scale: { ...given.scale, cycles: quick ? CYCLES.quick : CYCLES.full } };
  const growths = await measureGrowth(options, stages, operations, quick ? COUNT.quick : COUNT.full);
  options.table(cpuTable(sizes, growths));
  options.table(latencyTable(sizes, growths));
  const largest = stages.at(-1) as GrownStage;
  options.table(sizeTable(largest.parcels, await sizesOf(largest)));
  const starts = [];
  for (const stage of stages) starts.push(await restarted(options, stage));
  options.table(startTable(starts));
  options.progress(`more than ${MOST_GROWTH} times: ${growing(growths).join('; ') || 'nothing'}`);
}

/** Every kind of operation with few and with many parcels: what it costs must not grow with them. */
export function growthIn(mode: Mode): Suite {
  return async (options: SuiteOptions): Promise<readonly Row[]> => {
    const vendor: SourceServer = await start17TrackServer();
    vendor.setLimits({ requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null });
    try {
      const on = (parcels: number, use: (stage: GrownStage) => Promise<void>): Promise<void> => onGrownStage(options, vendor, parcels, use);
      await onStagesOfSizes(sizesFor(mode, options.scale.quick), on, (stages) => measure(options, stages));
      return [];
    } finally {
      await vendor.close();
    }
  };
}
