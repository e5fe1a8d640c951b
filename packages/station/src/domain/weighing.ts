import {
  type AtParcel,
  type Bench,
  type Candidate,
  hasCount,
  isCancelled,
  measured,
  moved,
  type Notice,
  numbersOf,
  phaseOf,
  type Saved,
  type ScaleReading,
  type Step,
  type Subject,
  said,
  titleOf,
} from './bench.ts';
import { countFields } from './count.ts';
import { isAmbiguousWeight, sizeOf, type TypedWeight, weightOf } from './entry.ts';

const KG_PER_SCALE_UNIT: Readonly<Record<string, number>> = { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125 };

/** Status at the front (`ST,GS,`, `US,NT,`, `S S`, `S D`), then sign, digits and unit. */
const LINE =
  /^(?:(?<status>ST|US|S\s+S|S\s+D|SI?|SD)\s*[,\s]\s*)?(?:(?:GS|NT|TR|N|G)\s*[,\s:]\s*)?(?<sign>[+-])?\s*(?<digits>\d+(?:\.\d+)?)\s*(?<unit>kg|g|lb|oz)\b/i;

const UNSTABLE = /^(US|S\s+D|SD)$/i;

/**
 * Reads a line of a scale with an ASCII protocol, such as `ST,GS,+  1.234kg`. A line without a status is taken to be at rest: scales
 * that send none send only then. @returns undefined for overload (`OL`), an empty or negative weight, and whatever is no weight
 */
export function scaleReadingOf(line: string): ScaleReading | undefined {
  const { status = '', sign, digits, unit = '' } = LINE.exec(line.trim())?.groups ?? {};
  const kg = Number((Number(digits) * (KG_PER_SCALE_UNIT[unit.toLowerCase()] ?? Number.NaN)).toFixed(4));
  if (sign === '-' || !(kg > 0)) return undefined;
  return { stable: !UNSTABLE.test(status), kg };
}

/** Longest line of a scale. */
const MAX_LINE = 256;

/** Parts what comes over a serial line into lines. @returns complete lines, and what is left for the next time */
export function linesOf(pending: string, chunk: string): { readonly lines: readonly string[]; readonly rest: string } {
  const parts = (pending + chunk).split(/[\r\n]+/);
  const rest = parts.pop() ?? '';
  return { lines: parts.filter((line) => line.trim() !== ''), rest: rest.length > MAX_LINE ? '' : rest };
}

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

/** Enter alone: takes the weight of the scale, or finishes the parcel when weight and size are there. */
export function entered(bench: Bench, parcel: AtParcel): Step {
  const { reading } = bench;
  switch (phaseOf(parcel)) {
    case 'weight':
      if (isCancelled(parcel.subject)) return said(bench, 'cancelledParcel', titleOf(parcel.subject));
      if (reading === undefined) return said(bench, 'typeWeight');
      if (!reading.stable) return said(bench, 'scaleMoving');
      return { bench: moved(bench, measured(parcel, { weightKg: reading.kg })), effects: [] };
    case 'size':
      return said(bench, 'typeSize');
    case 'ready':
      return saving(bench, parcel, [weighingOf(parcel), ...countOf(parcel)]);
  }
}

/** Enter after a scan that was refused: finishes the parcel when weight and size are there. What is missing is typed: the other parcel may lie on the scale. */
export function enteredAfterRefusal(bench: Bench, parcel: AtParcel): Step {
  const phase = phaseOf(parcel);
  if (phase === 'ready') return entered(bench, parcel);
  return said(bench, phase === 'weight' ? 'typeWeight' : 'typeSize');
}

/** Finishes a parcel without a weighing: its photos and its count are reported. */
export function finishedUnweighed(bench: Bench, parcel: AtParcel): Step {
  if (parcel.weightKg !== undefined || parcel.size !== undefined) return said(bench, 'finishFirst', titleOf(parcel.subject));
  const drafts = [...photosOf(parcel), ...countOf(parcel)];
  if (drafts.length > 0 || parcel.alarm !== undefined) return saving(bench, parcel, drafts);
  return { bench: moved(bench, { at: 'scan' }), effects: [] };
}

function saving(bench: Bench, parcel: AtParcel, drafts: readonly Saved[]): Step {
  if (bench.full) return said(bench, 'queueFull');
  if (parcel.alarm !== undefined) return said(bench, 'correctedFirst', titleOf(parcel.subject));
  return { bench: moved(bench, { at: 'saving', parcel, ahead: [] }), effects: [{ do: 'save', title: titleOf(parcel.subject), drafts }] };
}

function weighingOf({ subject, weightKg = 0, size, photos }: AtParcel): Saved {
  const { lengthCm = 0, widthCm = 0, heightCm = 0 } = size ?? {};
  const sides = { length_cm: lengthCm, width_cm: widthCm, height_cm: heightCm };
  return { draft: { type: 'weighing', ...numbersOf(subject), weight_kg: weightKg, ...sides }, photos };
}

/** A count that no other report has brought: who counts the pieces has begun the work on the parcel. */
function countOf(parcel: AtParcel): Saved[] {
  if (!hasCount(parcel)) return [];
  return [{ draft: { type: 'processing', ...numbersOf(parcel.subject), ...countFields(parcel) }, photos: [] }];
}

/** Photos of a parcel that is not weighed, each by itself. */
function photosOf({ subject, photos }: AtParcel): Saved[] {
  return photos.map((photo, index) => ({
    draft: { type: 'photo', ...numbersOf(subject), image_type: 'package', image_order: index },
    photos: [photo],
  }));
}

/** True when another parcel replaces an unweighed one. */
export function isLeftUnweighed({ subject: { forecast, detail } }: AtParcel, ...next: readonly Candidate[]): boolean {
  if (next.some((each) => each.forecast.forecast_no === forecast?.forecast_no)) return false;
  return (forecast === undefined || forecast.status < 3) && (detail?.measurements.length ?? 0) === 0;
}

/** Says that a parcel has left the bench without a weight, unless what was typed ahead has led to something else that is said. */
export function leftBehind(next: Step, { subject }: AtParcel, title: string): Step {
  const { flow, notice } = next.bench;
  if (flow.at !== 'parcel' && flow.at !== 'choose') return next;
  if (notice !== undefined && notice.tone === 'bad') return next;
  return { ...said(next.bench, 'notWeighed', titleOf(subject), 'wait', title), effects: next.effects };
}

/** A warning that the parcel has its weight already. Of several parcels of a forecast each has its own, and the bench cannot know which one this is. */
export function weighedBefore({ forecast, detail }: Subject): Notice | undefined {
  const [last] = detail?.measurements ?? [];
  const isOne = (forecast?.carton_count ?? 1) === 1 && (forecast?.tracking_numbers.length ?? 0) <= 1;
  return last !== undefined && isOne ? { tone: 'wait', key: 'weighedBefore', value: `${last.weight_kg} kg` } : undefined;
}
