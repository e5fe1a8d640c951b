import { median } from '../statistics.ts';

/** One figure next to its reference, both measured in the same cycles. */
export interface Row {
  readonly suite: string;
  /** What is measured. */
  readonly name: string;
  readonly unit: string;
  /** Median over the cycles. */
  readonly ours: number;
  /** What it is held against. */
  readonly reference: string;
  /** Median over the cycles. */
  readonly referenceValue: number;
  /** Median of ours divided by the reference's, cycle by cycle: what differs between cycles cancels out. */
  readonly ratio: number;
  readonly better: 'higher' | 'lower';
  readonly cycles: number;
}

/** What one cycle gave. */
export interface Sample {
  readonly ours: number;
  readonly reference: number;
}

/** Makes a row of the samples of all cycles. @throws RangeError without samples */
export function rowOf(about: Pick<Row, 'suite' | 'name' | 'unit' | 'reference' | 'better'>, samples: readonly Sample[]): Row {
  return {
    ...about,
    ours: median(samples.map((sample) => sample.ours)),
    referenceValue: median(samples.map((sample) => sample.reference)),
    ratio: median(samples.map((sample) => sample.ours / sample.reference)),
    cycles: samples.length,
  };
}
