import { type Row, rowOf } from '../report/row.ts';

/** How fast something was done. */
export interface Rate {
  readonly perSecond: number;
  /** In a second of CPU time of the process that did it. */
  readonly perCpuSecond: number;
}

/** Two rows: how many in a second, and how many in a second of one processor. */
export function rowsOfRate(
  about: { readonly name: string; readonly reference: string },
  cycles: readonly { readonly ours: Rate; readonly reference: Rate }[],
): readonly Row[] {
  const row = (figure: keyof Rate, name: string): Row =>
    rowOf(
      { suite: 'tracking', unit: '/s', better: 'higher', reference: about.reference, name },
      cycles.map(({ ours, reference }) => ({ ours: ours[figure], reference: reference[figure] })),
    );
  return [row('perSecond', about.name), row('perCpuSecond', `${about.name}, by one processor`)];
}
