import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import { formatNumber, type Table } from '../../report.ts';
import type { Suite } from '../../suite.ts';
import { onGrownStages, shown } from './grown-stage.ts';
import { type Growth, measureGrowth } from './measure.ts';
import { operations } from './operations.ts';

const SIZES = { full: [1_000, 10_000, 100_000, 1_000_000], quick: [1_000, 2_000] } as const;
/** Nothing may grow more than so many times from the smallest platform to the largest. */
const MOST_GROWTH = 1.5;

const column = (name: string, numeric = true) => ({ name, numeric });

/** CPU time by operation and size. */
function cpuTable(sizes: readonly number[], growths: readonly Growth[]): Table {
  return {
    title: 'CPU time of an operation, µs, by parcels stored',
    columns: [column('Operation', false), ...sizes.map((size) => column(shown(size))), column('Growth')],
    lines: growths.map(({ name, costs, growth }) => [name, ...costs.map(({ cpu }) => cpu), growth.toFixed(2)]),
  };
}

/** Latency by operation and size, without what has none. */
function latencyTable(sizes: readonly number[], growths: readonly Growth[]): Table {
  const timed = growths.filter(({ costs }) => costs.every(({ p50 }) => !Number.isNaN(p50)));
  return {
    title: 'Latency of an operation, ms: median / p95, by parcels stored',
    columns: [column('Operation', false), ...sizes.map((size) => column(shown(size)))],
    lines: timed.map(({ name, costs }) => [name, ...costs.map(({ p50, p95 }) => `${formatNumber(p50)} / ${formatNumber(p95)}`)]),
  };
}

/** Every kind of operation with few and with many parcels: what it costs must not grow with them. */
export const growth: Suite = async (options) => {
  // `GROWTH_SIZES=1000,100000`: other sizes, to look at one thing closely.
  const given = process.env['GROWTH_SIZES']?.split(',').map(Number);
  const sizes = given ?? SIZES[options.scale.quick ? 'quick' : 'full'];
  const vendor = await start17TrackServer();
  vendor.setLimits({ requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null });
  try {
    await onGrownStages(options, vendor, sizes, async (stages) => {
      const growths = await measureGrowth(options, stages, operations);
      options.table(cpuTable(sizes, growths));
      options.table(latencyTable(sizes, growths));
      const growing = growths.filter((one) => one.growth > MOST_GROWTH).map((one) => `${one.name} ${one.growth.toFixed(2)}`);
      options.progress(`more than ${MOST_GROWTH} times: ${growing.join('; ') || 'nothing'}`);
    });
    return [];
  } finally {
    await vendor.close();
  }
};
