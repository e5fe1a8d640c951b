import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { Simulation } from '@parcelway/contracts/sandbox-api';
import { membersOf } from '@parcelway/page/members-of';

type MeasureName = 'declared' | 'measured' | 'difference' | 'volumetric' | 'chargeable';

interface Measure {
  readonly name: MeasureName;
  readonly weight: number | null;
  readonly volume: number | null;
}

export function measuresOf(
  forecast: Pick<ForecastDetail, 'declared' | 'measured' | 'difference' | 'volumetric_weight_kg' | 'chargeable_weight_kg'>,
): Measure[] {
  const both = (name: 'declared' | 'measured' | 'difference'): Measure => {
    const { weight_kg, volume_cm3 } = forecast[name];
    return { name, weight: weight_kg, volume: volume_cm3 };
  };
  const all: Measure[] = [
    both('declared'),
    both('measured'),
    both('difference'),
    { name: 'volumetric', weight: forecast.volumetric_weight_kg, volume: null },
    { name: 'chargeable', weight: forecast.chargeable_weight_kg, volume: null },
  ];
  return all.filter(({ weight, volume }) => weight !== null || volume !== null);
}

export const differingFirst = <Counted extends { readonly difference: number }>(counted: readonly Counted[]): Counted[] =>
  counted.toSorted((a, b) => Number(a.difference === 0) - Number(b.difference === 0));

/** The warehouse at which a parcel arrived that was forecast for another: its arrival made the correction. */
export const arrivedAt = ({ changes }: Pick<ForecastDetail['corrections'][number], 'changes'>): string | null =>
  changes.find(({ field }) => field === 'warehouse_code')?.to ?? null;

/** Fields that hold the URL of a file → the kind of that file. */
const LINKED: Readonly<Record<string, 'pdf' | 'image'>> = { shipping_label: 'pdf', shipping_note: 'pdf', product_image: 'image' };

/** What a value of a field leads to; undefined when it is no URL of a file. @param field JSON path, such as `items[0].product_image` */
export function linkedKind(field: string, value: string): 'pdf' | 'image' | undefined {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return /^https?:\/\//.test(value) && Object.hasOwn(LINKED, name) ? LINKED[name] : undefined;
}

export type SimulationStep = Simulation['step'];

export const simulationSteps = membersOf<SimulationStep>({
  arrive: true,
  weigh: true,
  process: true,
  put_away: true,
  dispatch: true,
  track: true,
  exception: true,
  hold: true,
  release: true,
});

export const measures = ['weight_kg', 'length_cm', 'width_cm', 'height_cm'] as const;

export interface SimulationValues {
  readonly step: SimulationStep;
  readonly measures: Readonly<Record<(typeof measures)[number], string>>;
  readonly adminStatus: AdminStatus;
  readonly text: string;
}

export const FIRST_SIMULATION: SimulationValues = {
  step: 'arrive',
  measures: { weight_kg: '1.25', length_cm: '30', width_cm: '20', height_cm: '10' },
  adminStatus: 'In Transit',
  text: '',
};

const NEXT_STEPS: Readonly<Record<number, SimulationStep>> = {
  1: 'arrive',
  2: 'weigh',
  3: 'process',
  4: 'dispatch',
  5: 'track',
  6: 'track',
};

/** What the form begins with for a parcel: the step that comes next. @param parcel `status` 1 to 7, `forecast_type` 1 for goods that stay in the warehouse */
export function firstSimulation({ status, forecast_type: type }: Pick<ForecastSummary, 'status' | 'forecast_type'>): SimulationValues {
  const step = status === 4 && type === 1 ? 'put_away' : (NEXT_STEPS[status] ?? FIRST_SIMULATION.step);
  return { ...FIRST_SIMULATION, step };
}

/** True for a step that would be refused: nothing is tracked before it is dispatched, and nothing is released that is not on hold. */
export function isOutOfTurn(step: SimulationStep, { status, on_hold }: Pick<ForecastDetail, 'status' | 'on_hold'>): boolean {
  if (step === 'track') return status < 5;
  return step === 'release' && !on_hold;
}

/** Steps with words → the field that takes them. */
const TEXT_FIELDS: Partial<Record<SimulationStep, 'content' | 'exception_text' | 'hold_reason'>> = {
  track: 'content',
  exception: 'exception_text',
  hold: 'hold_reason',
};

export const hasText = (step: SimulationStep): boolean => TEXT_FIELDS[step] !== undefined;

/** The body that plays a step. What does not belong to the step is left out. */
export function simulationOf(poNumber: string, values: SimulationValues): Simulation {
  const { step } = values;
  const field = TEXT_FIELDS[step];
  const text = values.text.trim();
  // What is no number goes as it is: the platform says what is allowed.
  const typed = measures.map((name) => [name, values.measures[name].trim()] as const).filter(([, value]) => value !== '');
  const numbers = typed.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)] as const);
  return {
    po_number: poNumber,
    step,
    ...(step === 'weigh' ? Object.fromEntries(numbers) : {}),
    ...(step === 'track' ? { admin_status: values.adminStatus } : {}),
    ...(field === undefined || text === '' ? {} : { [field]: text }),
  };
}
