import {
  type AtParcel,
  type Bench,
  hasCount,
  isCancelled,
  measured,
  moved,
  numbersOf,
  phaseOf,
  type Saved,
  type Step,
  said,
  titleOf,
} from './bench.ts';
import { countFields } from './count-lines.ts';

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
  return {
    bench: moved(bench, { at: 'saving', parcel, ahead: [] }),
    effects: [{ do: 'save', title: titleOf(parcel.subject), drafts }],
  };
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
