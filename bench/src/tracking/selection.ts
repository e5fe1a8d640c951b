import { runScript } from '../child-server.ts';
import { type Row, rowOf } from '../report/row.ts';
import { shown } from '../stages-of-sizes.ts';
import { inCycles, type SuiteOptions } from '../suite.ts';

/** What one piece of work takes at the median, microseconds. */
interface Cost {
  readonly time: number;
  /** Of the process of the service; that of a server of the store is not in it. */
  readonly cpu: number;
}

/** What `processes/measure-selection.ts` measures. */
interface Selection {
  /** Of 32 due shipments. */
  readonly lease: Cost;
  /** Of one shipment, by its tracking number. */
  readonly find: Cost;
  /** The most memory that the process has had, MiB. */
  readonly megabytes: number;
}

/** A store that is filled and measured. */
export interface SelectionStore {
  readonly kind: 'sqlite' | 'mongo';
  /** As the rows name it. */
  readonly name: string;
  /** Fills a store. @param dueEvery every so many-th shipment is due @returns its place, as `processes/measure-selection.ts` takes it */
  fill(count: number, dueEvery: number): Promise<string>;
}

/** Shipments that are due, in each store: the fewer there are, the sooner an index that is not used shows. */
const DUE = 5_000;
/** Leases of one cycle; those of all cycles take fewer shipments than are due. */
const LEASES = 25;
const FINDS = 1_000;

const figures: readonly { readonly name: string; readonly unit: string; of(selection: Selection): number }[] = [
  { name: 'Lease of 32 due shipments', unit: 'µs', of: ({ lease }) => lease.time },
  { name: 'Lease of 32 due shipments, CPU', unit: 'µs', of: ({ lease }) => lease.cpu },
  { name: 'Shipment by tracking number', unit: 'µs', of: ({ find }) => find.time },
  { name: 'Shipment by tracking number, CPU', unit: 'µs', of: ({ find }) => find.cpu },
  { name: 'Memory of the process that selects', unit: 'MiB', of: ({ megabytes }) => megabytes },
];

/** Selection among many watched shipments, next to the same among few: what it costs must not grow with them. */
export async function measureSelection(options: SuiteOptions, { kind, name, fill }: SelectionStore): Promise<readonly Row[]> {
  const [few, many] = [10_000, options.scale.quick ? 100_000 : 1_000_000];
  const filled = async (count: number): Promise<() => Promise<Selection>> => {
    options.progress(`putting ${shown(count)} shipments under watch in ${name}`);
    const place = await fill(count, count / DUE);
    return () => runScript<Selection>('processes/measure-selection.js', [kind, place, String(count), String(LEASES), String(FINDS)]);
  };
  const [atFew, atMany] = [await filled(few), await filled(many)];
  const cycles = await inCycles(options, `selection in ${name}`, async () => ({ ours: await atMany(), reference: await atFew() }));
  return figures.map((figure) =>
    rowOf(
      {
        suite: 'tracking',
        name: `${figure.name}, ${name}, ${shown(many)} watched`,
        unit: figure.unit,
        reference: `the same at ${shown(few)}`,
        better: 'lower',
      },
      cycles.map(({ ours, reference }) => ({ ours: figure.of(ours), reference: figure.of(reference) })),
    ),
  );
}
