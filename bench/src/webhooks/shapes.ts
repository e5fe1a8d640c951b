/** The load shapes, in the order of the report. */
export const shapeNames = ['A', 'B', 'C', 'D', 'E'] as const;

/** Name of a load shape. */
export type ShapeName = (typeof shapeNames)[number];

/** What an endpoint does with what it is sent: responds with 200 at once, responds with 500 at once, or never responds. */
export type Behaviour = 'ok' | 'fail' | 'hang';

/** One measured load: events at a steady rate, each to one endpoint. */
export interface Load {
  readonly shape: ShapeName;
  /** Names it in the report, such as `A, 50/s`. */
  readonly name: string;
  /** Events a second, of all publishers together. */
  readonly perSecond: number;
  /** They publish in step: as many events at the same instant. */
  readonly publishers: number;
  /** Each has one endpoint; they take turns. */
  readonly tenants: number;
  /** Of the tenants, those whose endpoint never responds. */
  readonly hanging: number;
  /** Of the tenants, those whose endpoint responds with 500. */
  readonly failing: number;
  /** True when the process with the queue is killed and started again half way. */
  readonly kill: boolean;
}

type Form = Omit<Load, 'shape' | 'name' | 'perSecond'> & { readonly rates: readonly number[] };

const healthy = { publishers: 1, hanging: 0, failing: 0, kill: false };

const forms: Readonly<Record<ShapeName, Form>> = {
  A: { ...healthy, rates: [50, 200], tenants: 1 },
  B: { ...healthy, rates: [1000], tenants: 1000 },
  C: { ...healthy, rates: [1000], tenants: 100, publishers: 10 },
  D: { ...healthy, rates: [1000], tenants: 1000, hanging: 10, failing: 50 },
  E: { ...healthy, rates: [1000], tenants: 1000, kill: true },
};

/** The loads of a shape; A has two. */
export function loadsOf(shape: ShapeName): readonly Load[] {
  const { rates, ...form } = forms[shape];
  return rates.map((perSecond) => ({ ...form, shape, name: `${shape}, ${perSecond}/s`, perSecond }));
}

/** What the endpoint of a tenant does. @param tenant index, from 0 */
export function behaviourOf(load: Pick<Load, 'hanging' | 'failing'>, tenant: number): Behaviour {
  if (tenant < load.hanging) return 'hang';
  return tenant < load.hanging + load.failing ? 'fail' : 'ok';
}
