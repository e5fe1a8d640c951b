import {
  type AtParcel,
  type Bench,
  type Effect,
  hasCount,
  hasUnsaved,
  isCancelled,
  measured,
  moved,
  numbersOf,
  phaseOf,
  type Saved,
  type Step,
  said,
  scanRefused,
  takesPhotos,
  titleOf,
} from './bench.ts';
import { skusOf } from './count.ts';
import { countBegun, countFields, rowsAtBench } from './count-lines.ts';
import { checked } from './dispatch.ts';
import {
  type Command,
  commandOf,
  comparable,
  isAmbiguousWeight,
  isWrongWeight,
  MAX_SIDE_CM,
  resemblesSize,
  sizeOf,
  type TypedWeight,
  weightOf,
} from './entry.ts';
import { alarmSeen } from './merchant-correction.ts';
import { responded } from './questions.ts';
import { MAX_PHOTOS } from './report.ts';
import { reporting } from './reporting.ts';
import { unclaimedOpened } from './unclaimed-lines.ts';

/** From this weight in kg on the unit has to be typed too: the platform takes it for implausible. */
const HEAVY_KG = 150;
/** From this side in cm on the bench asks to look again. */
const BIG_SIDE_CM = 400;

/** A line at a parcel. @returns undefined when it is the number of another parcel */
export function lineAtParcel(bench: Bench, flow: AtParcel, line: string): Step | undefined {
  const { discarding: _armed, refusing, ...parcel } = flow;
  const here = moved(bench, parcel);
  if (refusing) return line === '' ? goneOn(here, parcel) : scanRefused(bench, parcel, line);
  const command = commandOf(line);
  if (parcel.question !== undefined) {
    if (takesPhotos(parcel) && (command === 'camera' || command === 'file')) return commanded(here, parcel, command);
    return responded(here, parcel, parcel.question, line);
  }
  if (line === '') return entered(here, parcel);
  if (command !== undefined) return commanded(here, parcel, command);
  const size = line === '=' ? bench.lastSize : sizeOf(line);
  if (size !== undefined) {
    const next = moved(here, measured(parcel, { size }));
    const longest = Math.max(size.lengthCm, size.widthCm, size.heightCm);
    return longest > BIG_SIDE_CM ? said(next, 'bigSide', `${longest} cm`) : { bench: next, effects: [] };
  }
  const weight = weightOf(line);
  if (weight !== undefined) return weighed(here, parcel, weight, line);
  return scannedHere(here, parcel, line);
}

/** A line that is neither weight nor size. @returns undefined when it may be the number of another parcel */
function scannedHere(here: Bench, parcel: AtParcel, line: string): Step | undefined {
  const { scan, forecast, expressNo } = parcel.subject;
  const same = [scan, expressNo, forecast?.forecast_no].some((each) => each !== undefined && comparable(each) === comparable(line));
  if (same) return said(here, 'sameParcel', titleOf(parcel.subject), 'good');
  // Perhaps a piece is to be counted: nobody means another parcel that has the same product while this one lies here.
  if (skusOf(rowsAtBench(parcel), line).length > 0) return said(here, 'itemOfParcel', line);
  const isSizeAsked = phaseOf(parcel) === 'size';
  if (isWrongWeight(line) && !isSizeAsked && !resemblesSize(line)) return said(here, 'noWeight', line);
  if (resemblesSize(line) || isWrongWeight(line)) return said(here, 'badSize', String(MAX_SIDE_CM));
  return hasUnsaved(parcel) || parcel.alarm !== undefined ? scanRefused(here, parcel, line) : undefined;
}

/** Enter after a scan that was not taken: ends the work when all is there. What is missing is typed: the other parcel may lie on the scale. */
function goneOn(bench: Bench, parcel: AtParcel): Step {
  const phase = phaseOf(parcel);
  if (phase === 'ready') return entered(bench, parcel);
  return said(bench, phase === 'weight' ? 'typeWeight' : 'typeSize');
}

/** Asks for a weight or a size, perhaps again; nothing while another question is open, or after a scan that was refused. */
export function asked(bench: Bench, what: 'weight' | 'size'): Step {
  const { flow } = bench;
  if (flow.at !== 'parcel' || flow.question !== undefined || flow.refusing) return { bench, effects: [] };
  const parcel = measured(flow, {});
  return { bench: moved(bench, phaseOf(parcel) === what ? parcel : { ...parcel, correcting: what }), effects: [] };
}

function weighed(bench: Bench, parcel: AtParcel, { kg, withUnit }: TypedWeight, line: string): Step {
  // Without its unit a number belongs to what is asked for: where the size is, one side is not enough.
  if (phaseOf(parcel) === 'size' && !withUnit) return said(bench, 'typeSize');
  if (isAmbiguousWeight(line)) return said(bench, 'ambiguousWeight', line, 'bad', line.replace(/[^\d.,]/g, '').replace(',', '.'));
  if (kg > HEAVY_KG && !withUnit) return said(bench, 'heavy', `${kg} kg`);
  return { bench: moved(bench, measured(parcel, { weightKg: kg })), effects: [] };
}

/** Enter alone: takes the weight of the scale, or ends the work when all is there. */
function entered(bench: Bench, parcel: AtParcel): Step {
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
      return saving(bench, parcel, weighingOf(parcel));
  }
}

function weighingOf(parcel: AtParcel): Saved[] {
  const { subject, weightKg = 0, size, photos } = parcel;
  const { lengthCm = 0, widthCm = 0, heightCm = 0 } = size ?? {};
  const sides = { length_cm: lengthCm, width_cm: widthCm, height_cm: heightCm };
  return [{ draft: { type: 'weighing', ...numbersOf(subject), weight_kg: weightKg, ...sides }, photos }, ...countOf(parcel)];
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

function saving(bench: Bench, parcel: AtParcel, drafts: readonly Saved[]): Step {
  if (bench.full) return said(bench, 'queueFull');
  if (parcel.alarm !== undefined) return said(bench, 'correctedFirst', titleOf(parcel.subject));
  return {
    bench: moved(bench, { at: 'saving', parcel, ahead: [] }),
    effects: [{ do: 'save', title: titleOf(parcel.subject), drafts }],
  };
}

function commanded(bench: Bench, parcel: AtParcel, command: Command): Step {
  const { subject } = parcel;
  const asking = (question: NonNullable<AtParcel['question']>): Step => ({ bench: moved(bench, { ...parcel, question }), effects: [] });
  const effect = (...effects: Effect[]): Step => ({ bench, effects });
  switch (command) {
    case 'camera':
    case 'file':
      return parcel.photos.length >= MAX_PHOTOS ? said(bench, 'tooManyPhotos') : effect({ do: 'photo', from: command });
    case 'exception':
      return asking({ ask: 'reason' });
    case 'hold':
      return subject.forecast?.on_hold === true
        ? reporting(bench, parcel, { type: 'release', ...numbersOf(subject) })
        : asking({ ask: 'hold-reason' });
    case 'dispatch':
      if (isCancelled(subject)) return said(bench, 'cancelledParcel', titleOf(subject));
      if (subject.forecast?.on_hold === true) return said(bench, 'releaseFirst', titleOf(subject));
      if (subject.forecast?.forecast_type === 1) return said(bench, 'noDispatch');
      return asking(parcel.alarm === undefined ? { ask: 'carrier' } : { ask: 'corrected' });
    case 'count':
      return countBegun(bench, parcel);
    case 'processing':
      return reporting(bench, parcel, { type: 'processing', ...numbersOf(subject), ...countFields(parcel) });
    case 'put-away':
      return reporting(bench, parcel, { type: 'put_away', ...numbersOf(subject), ...countFields(parcel) });
    case 'end':
      return ended(bench, parcel);
    case 'unclaimed':
      return hasUnsaved(parcel) ? said(bench, 'finishFirst', titleOf(subject)) : unclaimedOpened(bench);
    case 'scale':
    case 'reports':
      return effect({ do: command });
    case 'seen':
      return parcel.alarm === undefined ? said(bench, 'notCorrected') : { bench: alarmSeen(bench, parcel).bench, effects: [] };
    default:
      return checked(bench, parcel, { what: 'print', kind: command }) ?? said(bench, 'noDocument', command);
  }
}

/** Ends the work on a parcel without a weighing. */
function ended(bench: Bench, parcel: AtParcel): Step {
  if (parcel.weightKg !== undefined || parcel.size !== undefined) return said(bench, 'finishFirst', titleOf(parcel.subject));
  const drafts = [...photosOf(parcel), ...countOf(parcel)];
  if (drafts.length > 0 || parcel.alarm !== undefined) return saving(bench, parcel, drafts);
  return { bench: moved(bench, { at: 'scan' }), effects: [] };
}
