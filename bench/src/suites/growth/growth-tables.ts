import { formatNumber, type Table } from '../../report/table.ts';
import { shown } from '../../stages-of-sizes.ts';
import type { Growth } from './growth-of.ts';

/** Nothing may grow more than so many times from the smallest platform to the largest. */
export const MOST_GROWTH = 1.5;

/** Start and memory of a platform. */
export interface StartOfSize {
  readonly parcels: number;
  /** Milliseconds until it was ready. */
  readonly start: number;
  /** Resident memory of all its processes then, MiB. */
  readonly memory: number;
}

/** What a table or collection takes, bytes. */
export interface StoreSize {
  /** Service and table, such as `webhook/events`. */
  readonly name: string;
  readonly data: number;
  readonly indexes: number;
}

const column = (name: string, numeric = true) => ({ name, numeric });

/** The last over the first. */
function growthOf(values: readonly number[]): number {
  return (values.at(-1) as number) / (values[0] as number);
}

function growthCell(values: readonly number[]): string {
  const growth = growthOf(values);
  return Number.isFinite(growth) ? growth.toFixed(2) : '';
}

/** Operations that grow more than they may, by their CPU time. */
export function growing(growths: readonly Growth[]): readonly string[] {
  return growths.filter(({ growth }) => growth > MOST_GROWTH).map(({ name, growth }) => `${name} ${growth.toFixed(2)}`);
}

/** CPU time by operation and size. */
export function cpuTable(sizes: readonly number[], growths: readonly Growth[]): Table {
  return {
    title: 'CPU time of an operation, µs, by parcels stored',
    columns: [column('Operation', false), ...sizes.map((size) => column(shown(size))), column('Growth')],
    lines: growths.map(({ name, costs, growth }) => [name, ...costs.map(({ cpu }) => cpu), growth.toFixed(2)]),
  };
}

/** Latency by operation and size, without what has none. */
export function latencyTable(sizes: readonly number[], growths: readonly Growth[]): Table {
  return {
    title: 'Latency of an operation, ms: median / p95, by parcels stored',
    columns: [column('Operation', false), ...sizes.map((size) => column(shown(size))), column('Growth, median'), column('Growth, p95')],
    lines: growths
      .filter(({ costs }) => costs.every(({ p50 }) => !Number.isNaN(p50)))
      .map(({ name, costs }) => [
        name,
        ...costs.map(({ p50, p95 }) => `${formatNumber(p50)} / ${formatNumber(p95)}`),
        growthCell(costs.map(({ p50 }) => p50)),
        growthCell(costs.map(({ p95 }) => p95)),
      ]),
  };
}

const MEGABYTE = 1_000_000;
const MILLION = 1_000_000;
/** Tables below this size per million parcels do not grow with them. */
const LEAST_MEGABYTES = 1;

/** What a million parcels take, of what the platform with `parcels` takes; the largest first. */
export function sizeTable(parcels: number, sizes: readonly StoreSize[]): Table {
  const perMillion = (bytes: number): number => (bytes * MILLION) / parcels / MEGABYTE;
  const lines = sizes
    .map(({ name, data, indexes }) => [name, perMillion(data), perMillion(indexes), perMillion(data + indexes)] as const)
    .filter(([, , , all]) => all >= LEAST_MEGABYTES)
    .sort((a, b) => b[3] - a[3]);
  const sum = (at: 1 | 2 | 3): number => lines.reduce((total, line) => total + line[at], 0);
  return {
    title: `Size of a million parcels, MB, measured at ${shown(parcels)}`,
    columns: [column('Service and table', false), column('Data'), column('Indexes'), column('Together')],
    lines: [...lines, ['all together', sum(1), sum(2), sum(3)]],
  };
}

/** Start and memory by size. */
export function startTable(starts: readonly StartOfSize[]): Table {
  const row = (name: string, values: readonly number[]) => [name, ...values, growthCell(values)];
  return {
    title: 'Start on existing data, and memory after it, by parcels stored',
    columns: [column('Measured', false), ...starts.map(({ parcels }) => column(shown(parcels))), column('Growth')],
    lines: [
      row(
        'Start to ready, ms',
        starts.map(({ start }) => start),
      ),
      row(
        'Memory after the start, MiB',
        starts.map(({ memory }) => memory),
      ),
    ],
  };
}
