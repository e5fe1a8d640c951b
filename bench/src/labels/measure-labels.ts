import { steadily } from '../closed-loop.ts';
import type { Parcel } from '../parcels.ts';
import { type Row, rowOf, type Sample } from '../report/row.ts';
import type { Table } from '../report/table.ts';
import { shown } from '../stages-of-sizes.ts';
import { percentile } from '../statistics.ts';
import { inCycles, type SuiteOptions } from '../suite.ts';
import { labelled, oneAtATime, submit, timesOf } from './label-times.ts';
import type { LabelledStage } from './labelled-stage.ts';

/** Submissions of one turn, one at a time. */
const SUBMISSIONS = 10;
/** Submissions a second while CPU time is measured. */
const PER_SECOND = 10;

/** What one cycle gave on one platform. */
export interface Measured {
  /** Milliseconds from each submission to its label. */
  readonly times: readonly number[];
  /** Milliseconds a forecast. */
  readonly cpu: number;
}

/** What all cycles gave on the platform with so many forecasts. */
export interface OfSize {
  readonly forecasts: number;
  readonly measures: readonly Measured[];
}

/** From submissions to labels, at a steady rate. Labels are looked for only at the end: looks would cost more the later a label is there. */
async function cpuOf({ merchant, write, cpuMicroseconds }: LabelledStage, count: number): Promise<number> {
  const parcels: Parcel[] = [];
  const before = cpuMicroseconds();
  await steadily(PER_SECOND, count, async () => void parcels.push(await submit(merchant, write())));
  for (const parcel of parcels) await labelled(merchant, parcel);
  return (cpuMicroseconds() - before) / 1000 / count;
}

/** Goes over the platforms there and back, so that what comes before a turn is the same for each of them. */
async function cycle(stages: readonly LabelledStage[], count: number): Promise<readonly Measured[]> {
  const turns = [...stages, ...stages.toReversed()];
  const times = new Map<LabelledStage, number[]>();
  for (const stage of turns) {
    const { merchant, write } = stage;
    const measured = await oneAtATime(SUBMISSIONS, () => timesOf(merchant, write()));
    times.set(stage, [...(times.get(stage) ?? []), ...measured.map((each) => each.labelled)]);
  }
  const cpu = new Map<LabelledStage, number>();
  for (const stage of turns) cpu.set(stage, (cpu.get(stage) ?? 0) + (await cpuOf(stage, count)) / 2);
  return stages.map((stage) => ({ times: times.get(stage) ?? [], cpu: cpu.get(stage) ?? 0 }));
}

/** The figures of one cycle. */
const figures = [
  { name: 'p50', unit: 'ms', of: ({ times }: Measured) => percentile(times, 50) },
  { name: 'p95', unit: 'ms', of: ({ times }: Measured) => percentile(times, 95) },
  { name: `CPU a forecast at ${PER_SECOND}/s`, unit: 'ms', of: ({ cpu }: Measured) => cpu },
] as const;

/** Each figure with so many forecasts next to the same of the same cycles with the fewest. */
function rowsAgainst(fewest: OfSize, { forecasts, measures }: OfSize): Row[] {
  return figures.map(({ name, unit, of }) => {
    const samples = measures.map((each, index): Sample => ({ ours: of(each), reference: of(fewest.measures[index] as Measured) }));
    const about = { suite: 'labels', unit, better: 'lower' as const };
    const reference = `the same at ${shown(fewest.forecasts)}`;
    return rowOf({ ...about, name: `Submission to product label at ${shown(forecasts)} forecasts, ${name}`, reference }, samples);
  });
}

/** The rows of the most forecasts, and the table of all sizes. @throws RangeError without sizes */
export function reportOf(sizes: readonly OfSize[]): { readonly rows: readonly Row[]; readonly table: Table } {
  const [fewest, most] = [sizes[0], sizes.at(-1)];
  if (fewest === undefined || most === undefined) throw new RangeError('Nothing was measured');
  const columns = ['Forecasts', ...figures.flatMap(({ name, unit }) => [`${name}, ${unit}`, 'Over the fewest'])];
  const lines = sizes.map((size) => [shown(size.forecasts), ...rowsAgainst(fewest, size).flatMap(({ ours, ratio }) => [ours, ratio])]);
  const table = { title: 'Product label after submission', columns: columns.map((name) => ({ name, numeric: true })), lines };
  return { rows: rowsAgainst(fewest, most), table };
}

/** Measures, in turns on each platform, how soon labels are there and what they cost. */
export async function measureLabels(options: SuiteOptions, stages: readonly LabelledStage[]): Promise<readonly Row[]> {
  const count = options.scale.quick ? 10 : 30;
  options.progress('labels, warming up');
  await cycle(stages, count);
  const cycles = await inCycles(options, 'labels', () => cycle(stages, count));
  const { rows, table } = reportOf(
    stages.map(({ forecasts }, at) => ({ forecasts, measures: cycles.map((measures) => measures[at] as Measured) })),
  );
  options.table(table);
  return rows;
}
