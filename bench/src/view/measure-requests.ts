import { closedLoopOf } from '../closed-loop.ts';
import { type Row, rowOf } from '../report/row.ts';
import type { Table } from '../report/table.ts';
import { shown } from '../stages-of-sizes.ts';
import { median, percentile } from '../statistics.ts';
import { inCycles, type SuiteOptions } from '../suite.ts';
import { CONNECTIONS, type FilledStage } from './filled-stage.ts';

/** A kind of request to the view. */
export interface ViewRequest {
  /** Such as `by tracking number`. */
  readonly name: string;
  /** Sends one and waits for its response. */
  send(stage: FilledStage): Promise<void>;
}

/** What one cycle gave for one kind of request on one platform. */
interface Measured {
  /** Milliseconds of each request. */
  readonly times: readonly number[];
  /** Microseconds a request. */
  readonly cpu: number;
}

/** A route of the same processes that reads nothing. */
const health: ViewRequest = { name: 'GET /healthz', send: ({ client }) => client.send('GET', '/healthz', null) };

async function measure(stage: FilledStage, { send }: ViewRequest, requests: number): Promise<Measured> {
  const times: number[] = [];
  const before = stage.cpuMicroseconds();
  await closedLoopOf(CONNECTIONS, requests, async () => {
    const begun = performance.now();
    await send(stage);
    times.push(performance.now() - begun);
  });
  return { times, cpu: (stage.cpuMicroseconds() - before) / requests };
}

const COLUMNS = ['Request', 'Forecasts', 'p50, ms', 'p95, ms', 'p99, ms', 'CPU, µs', 'CPU over /healthz', 'CPU over the fewest'];

/** Measures of one platform: of each request all cycles, and of the reference. */
type OfStage = ReadonlyMap<ViewRequest, readonly Measured[]>;

const cpuOf = (measures: readonly Measured[]): number => median(measures.map(({ cpu }) => cpu));

/** Ratio of the CPU times of the same cycles. */
function ratio(ours: readonly Measured[], others: readonly Measured[]): number {
  return median(ours.map(({ cpu }, index) => cpu / (others[index] as Measured).cpu));
}

function tableOf(title: string, requests: readonly ViewRequest[], stages: readonly FilledStage[], all: readonly OfStage[]): Table {
  const lines = [health, ...requests].flatMap((request) =>
    stages.map(({ forecasts }, at) => {
      const measures = all[at]?.get(request) ?? [];
      const times = measures.flatMap((each) => each.times);
      const reference = all[at]?.get(health) ?? [];
      return [
        request.name,
        shown(forecasts),
        ...[50, 95, 99].map((percent) => percentile(times, percent)),
        cpuOf(measures),
        ratio(measures, reference),
        ratio(measures, all[0]?.get(request) ?? []),
      ];
    }),
  );
  return { title, columns: COLUMNS.map((name, index) => ({ name, numeric: index > 0 })), lines };
}

/** Of each request: its CPU time with the most forecasts next to the same with the fewest, and its p99 with the most next to that of the reference. */
function rowsOf(suite: string, requests: readonly ViewRequest[], stages: readonly FilledStage[], all: readonly OfStage[]): Row[] {
  const [fewest, most] = [stages[0], stages.at(-1)];
  const [ofFewest, ofMost] = [all[0], all.at(-1)];
  if (fewest === undefined || most === undefined || ofFewest === undefined || ofMost === undefined) return [];
  const p99 = ({ times }: Measured): number => percentile(times, 99);
  return requests.flatMap((request) => {
    const [few, many, bare] = [ofFewest.get(request) ?? [], ofMost.get(request) ?? [], ofMost.get(health) ?? []];
    const about = { suite, better: 'lower' as const };
    const name = `${request.name} at ${shown(most.forecasts)}`;
    return [
      rowOf(
        { ...about, name: `${name}, CPU`, unit: 'µs', reference: `the same at ${shown(fewest.forecasts)}` },
        many.map(({ cpu }, index) => ({ ours: cpu, reference: (few[index] as Measured).cpu })),
      ),
      rowOf(
        { ...about, name: `${name}, p99`, unit: 'ms', reference: health.name },
        many.map((each, index) => ({ ours: p99(each), reference: p99(bare[index] as Measured) })),
      ),
    ];
  });
}

/**
 * Sends each kind of request to each platform, in turns with a route that reads nothing.
 * @param requests of each kind, measured one after the other
 */
export async function measureView(
  options: SuiteOptions,
  suite: string,
  title: string,
  stages: readonly FilledStage[],
  requests: readonly ViewRequest[],
): Promise<readonly Row[]> {
  const count = options.scale.quick ? 100 : 600;
  const kinds = [health, ...requests];
  const cycle = async (requestsOfKind: number): Promise<readonly ReadonlyMap<ViewRequest, Measured>[]> => {
    const all = stages.map(() => new Map<ViewRequest, Measured>());
    for (const kind of kinds) {
      for (const [at, stage] of stages.entries()) all[at]?.set(kind, await measure(stage, kind, requestsOfKind));
    }
    return all;
  };
  options.progress(`${suite}, warming up`);
  await cycle(count / 2);
  const cycles = await inCycles(options, suite, () => cycle(count));
  const all = stages.map(
    (_, at): OfStage => new Map(kinds.map((kind) => [kind, cycles.map((each) => each[at]?.get(kind) as Measured)] as const)),
  );
  options.table(tableOf(title, requests, stages, all));
  return rowsOf(suite, requests, stages, all);
}
