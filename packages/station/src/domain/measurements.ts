import { type AtParcel, type Bench, measured, moved, phaseOf, type Step, said } from './bench.ts';
import { isAmbiguousWeight, sizeOf, type TypedWeight, weightOf } from './entry.ts';

/** From this weight in kg on the unit has to be typed too: the platform takes it for implausible. */
const HEAVY_KG = 150;
/** From this side in cm on the bench asks to look again. */
const BIG_SIDE_CM = 400;

/** A line that is the weight or the size of the parcel on the bench. @returns undefined for any other line */
export function measurementLine(bench: Bench, parcel: AtParcel, line: string): Step | undefined {
  const size = line === '=' ? bench.lastSize : sizeOf(line);
  if (size !== undefined) {
    const next = moved(bench, measured(parcel, { size }));
    const longest = Math.max(size.lengthCm, size.widthCm, size.heightCm);
    return longest > BIG_SIDE_CM ? said(next, 'bigSide', `${longest} cm`) : { bench: next, effects: [] };
  }
  const weight = weightOf(line);
  return weight && weighed(bench, parcel, weight, line);
}

function weighed(bench: Bench, parcel: AtParcel, { kg, withUnit }: TypedWeight, line: string): Step {
  // Without its unit a number belongs to what is asked for: where the size is, one side is not enough.
  if (phaseOf(parcel) === 'size' && !withUnit) return said(bench, 'typeSize');
  if (isAmbiguousWeight(line)) return said(bench, 'ambiguousWeight', line, 'bad', line.replace(/[^\d.,]/g, '').replace(',', '.'));
  if (kg > HEAVY_KG && !withUnit) return said(bench, 'heavy', `${kg} kg`);
  return { bench: moved(bench, measured(parcel, { weightKg: kg })), effects: [] };
}

/** Asks for a weight or a size, perhaps again; nothing while another question is open, or after a scan that was refused. */
export function measurementAsked(bench: Bench, what: 'weight' | 'size'): Step {
  const { flow } = bench;
  if (flow.at !== 'parcel' || flow.question !== undefined || flow.refusing) return { bench, effects: [] };
  const parcel = measured(flow, {});
  return { bench: moved(bench, phaseOf(parcel) === what ? parcel : { ...parcel, correcting: what }), effects: [] };
}

/** A weight or a size where a number is asked for: taken for one, it would be reported as a parcel. */
export function measurementTooEarly(bench: Bench, line: string): Step {
  const { flow } = bench;
  if (flow.at === 'choose') return said(bench, flow.candidates.length === 1 ? 'measureBeforeYes' : 'measureBeforeChoice', line);
  return said(bench, flow.at === 'unknown' ? 'measureBeforeYes' : 'measureBeforeScan', line);
}
