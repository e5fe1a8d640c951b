import { serviceProcesses } from '../distributed-stage.ts';
import { formatNumber, type Table } from '../report/table.ts';
import { median } from '../statistics.ts';
import type { CapacityCycle } from '../suites/capacity/cycle.ts';
import type { Demand, DiskUse } from '../suites/mongo-demand.ts';
import { type Holding, holdingOf } from './replica-capacity.ts';
import { exampleLife, replicasFor } from './sizing.ts';
import { type LoadName, loadNames, referenceLoadNames, type Work, type WorkKey, works } from './works.ts';

/** All that the tables are made of. */
export interface CapacityMeasured {
  readonly cycles: readonly CapacityCycle[];
  /** By the name that {@link Work.ceiling} gives. */
  readonly ceilings: ReadonlyMap<string, number>;
  /** By how much the databases have grown meanwhile. */
  readonly disk: DiskUse;
}

/** A work, and what was found out about it. */
interface Found extends Holding {
  readonly key: WorkKey;
  readonly work: Work;
  readonly cpuMicroseconds: number;
  readonly referenceMicroseconds: number;
  readonly ratio: number;
  readonly ceiling: number | undefined;
}

const PARCELS_A_DAY = [10_000, 100_000, 1_000_000] as const;
const MEBIBYTE = 1024 * 1024;

const text = (name: string) => ({ name, numeric: false });
const number = (name: string) => ({ name, numeric: true });

function findingOf(key: WorkKey, { cycles, ceilings }: CapacityMeasured): Found {
  const work: Work = works[key];
  const ours = (cycle: CapacityCycle): number => (cycle.costs[work.load].cpu[work.service] as number) / work.times;
  const reference = (cycle: CapacityCycle): number => cycle.references[work.reference];
  const cpuMicroseconds = median(cycles.map(ours));
  const idleShare = median(cycles.map(({ idle }) => idle.cpu[work.service] as number)) / 1_000_000;
  const ceiling = work.ceiling === undefined ? undefined : ceilings.get(work.ceiling);
  if (!(cpuMicroseconds > 0)) {
    const each = cycles.map((cycle) => Math.round(ours(cycle))).join(', ');
    throw new RangeError(`${work.service}, ${work.name}: no CPU time above that at rest; by cycle ${each} µs`);
  }
  return {
    key,
    work,
    cpuMicroseconds,
    referenceMicroseconds: median(cycles.map(reference)),
    ratio: median(cycles.map((cycle) => ours(cycle) / reference(cycle))),
    ceiling,
    ...holdingOf(cpuMicroseconds, idleShare, ceiling),
  };
}

function holdingTable(findings: readonly Found[]): Table {
  return {
    title: 'What one replica with one core holds',
    columns: [
      text('Service'),
      text('Work'),
      number('CPU, µs'),
      text('Reference'),
      number('Its CPU, µs'),
      number('Ratio'),
      number('Ceiling, /s'),
      number('One replica holds, /s'),
    ],
    lines: findings.map(({ work, cpuMicroseconds, referenceMicroseconds, ratio, ceiling, perSecond }) => [
      work.service,
      work.name,
      cpuMicroseconds,
      referenceLoadNames[work.reference],
      referenceMicroseconds,
      ratio.toFixed(2),
      ceiling ?? null,
      perSecond,
    ]),
  };
}

/** What a parcel of the example asks of the servers is made of these. */
const parcelLoads: readonly { readonly load: LoadName; readonly times: number }[] = [
  { load: 'submit1', times: 1 },
  { load: 'upload1', times: 2 },
  { load: 'download1', times: 2 },
  { load: 'weighing', times: 2 },
  { load: 'dispatch', times: 1 },
  { load: 'query', times: 1 },
  { load: 'trackingQuery', times: 2 },
  { load: 'poll', times: 200 },
];

/** Adds up demands, each so many times. */
export function sumOfDemands(parts: readonly { readonly demand: Demand; readonly times: number }[]): Demand {
  const sum = (field: keyof Demand): number => parts.reduce((total, { demand, times }) => total + times * demand[field], 0);
  return {
    mongoReads: sum('mongoReads'),
    mongoWrites: sum('mongoWrites'),
    mongoCommands: sum('mongoCommands'),
    kafkaMessages: sum('kafkaMessages'),
    documentBytes: sum('documentBytes'),
  };
}

/** Bytes on the disk for one byte of documents: compressed, and with indexes. */
export function diskFactor({ documentBytes, storageBytes, indexBytes }: DiskUse): number {
  if (documentBytes <= 0) throw new RangeError('The databases have not grown');
  return (storageBytes + indexBytes) / documentBytes;
}

function demandTable({ cycles, disk }: CapacityMeasured): Table {
  const middle = (load: LoadName): Demand => {
    const of = (field: keyof Demand): number => median(cycles.map(({ costs }) => costs[load].demand[field]));
    return {
      mongoReads: of('mongoReads'),
      mongoWrites: of('mongoWrites'),
      mongoCommands: of('mongoCommands'),
      kafkaMessages: of('kafkaMessages'),
      documentBytes: of('documentBytes'),
    };
  };
  const factor = diskFactor(disk);
  const lineOf = (name: string, demand: Demand): (string | number)[] => [
    name,
    ...[demand.mongoReads, demand.mongoWrites, demand.mongoCommands, demand.kafkaMessages].map((count) => count.toFixed(1)),
    formatNumber(demand.documentBytes),
    ((1000 * demand.documentBytes * factor) / MEBIBYTE).toFixed(2),
  ];
  const parcel = sumOfDemands(parcelLoads.map(({ load, times }) => ({ demand: middle(load), times })));
  const perCall = { batch: ' (a call)' } as Partial<Record<LoadName, string>>;
  return {
    title: 'What one of them asks of MongoDB and Kafka',
    columns: [
      text('One of these, with all that follows from it'),
      number('MongoDB reads'),
      number('Writes'),
      number('Commands'),
      number('Kafka messages'),
      number('Bytes of documents'),
      number('On disk for 1,000, MiB'),
    ],
    lines: [
      ...(Object.keys(loadNames) as LoadName[]).map((load) => lineOf(`${loadNames[load]}${perCall[load] ?? ''}`, middle(load))),
      lineOf('A parcel of the example, all of its life', parcel),
    ],
  };
}

function sizingTable(findings: readonly Found[]): Table {
  const holding = new Map(findings.map(({ key, perSecond }) => [key, perSecond]));
  return {
    title: 'Replicas for the example',
    columns: [text('Service'), ...PARCELS_A_DAY.flatMap((parcels) => [number(`${formatNumber(parcels)} a day: load`), number('Replicas')])],
    lines: serviceProcesses.map((service) => [
      service,
      ...PARCELS_A_DAY.flatMap((parcels) => {
        const { load, replicas } = replicasFor(service, parcels, holding, exampleLife);
        return [load.toFixed(2), String(replicas)];
      }),
    ]),
  };
}

/** The tables of the page about capacity: what a replica holds, what the servers are asked for, and the worked example. */
export function capacityTables(measured: CapacityMeasured): readonly Table[] {
  const findings = (Object.keys(works) as WorkKey[]).map((key) => findingOf(key, measured));
  return [holdingTable(findings), demandTable(measured), sizingTable(findings)];
}
