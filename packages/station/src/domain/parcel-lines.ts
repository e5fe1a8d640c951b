import {
  type AtParcel,
  type Bench,
  type Effect,
  type Handover,
  hasUnsaved,
  moved,
  numbersOf,
  phaseOf,
  type Question,
  type Step,
  said,
  scanRefused,
  takesPhotos,
  titleOf,
} from './bench.ts';
import { alarmSeen, recheckBegun } from './corrections.ts';
import { countBegun, countFields, countLine, rowsAtBench, skusOf } from './count.ts';
import { type Command, commandOf, comparable, isParcelNumber, isWrongWeight, MAX_SIDE_CM, resemblesSize } from './entry.ts';
import { type BenchPhoto, MAX_PHOTOS, reasonsInOrder } from './report.ts';
import { dispatchBegun, dispatchReported, lineAtCarrier, reporting } from './reporting.ts';
import { unclaimedOpened } from './unclaimed-lines.ts';
import { entered, enteredAfterRefusal, finishedUnweighed, measurementLine } from './weighing.ts';

/** Adds a photo to the parcel on the bench, if the parcel is still there. */
export function onPhoto(bench: Bench, photo: BenchPhoto): Step {
  const { flow } = bench;
  // The parcel has left the bench meanwhile: the photo cannot be assigned any more.
  if (flow.at !== 'parcel') return { bench, effects: [{ do: 'drop-photos', photos: [photo] }] };
  if (flow.photos.length >= MAX_PHOTOS) return { ...said(bench, 'tooManyPhotos'), effects: [{ do: 'drop-photos', photos: [photo] }] };
  return { bench: moved(bench, { ...flow, photos: [...flow.photos, photo] }), effects: [] };
}

/** A photo that is not wanted. */
export function onPhotoDropped(bench: Bench, photo: BenchPhoto): Step {
  const { flow } = bench;
  if (flow.at !== 'parcel') return { bench, effects: [] };
  const photos = flow.photos.filter(({ id }) => id !== photo.id);
  return { bench: moved(bench, { ...flow, photos }), effects: [{ do: 'drop-photos', photos: [photo] }] };
}

/** Most characters of the words about an exception, and of those about a hold. */
const MAX_TEXT = 1000;
const MAX_HOLD_REASON = 500;

/** A line while the bench asks a question: the reply to it. */
function lineAtQuestion(bench: Bench, asked: AtParcel, question: Question, line: string): Step {
  const { question: _settled, ...parcel } = asked;
  const numbers = numbersOf(parcel.subject);
  switch (question.ask) {
    case 'count':
      return countLine(bench, asked, question, line);
    case 'reason': {
      const reason = /^\d$/.test(line) ? reasonsInOrder[Number(line) - 1] : undefined;
      if (reason === undefined) return said(bench, 'chooseNumber');
      return { bench: moved(bench, { ...parcel, question: { ask: 'exception-text', reason } }), effects: [] };
    }
    case 'exception-text': {
      const text = line === '' ? {} : { text: line.slice(0, MAX_TEXT) };
      return reporting(bench, parcel, { type: 'exception', ...numbers, reason: question.reason, ...text }, parcel.photos);
    }
    case 'hold-reason': {
      const reason = line === '' ? {} : { reason: line.slice(0, MAX_HOLD_REASON) };
      return reporting(bench, parcel, { type: 'hold', ...numbers, ...reason });
    }
    case 'carrier':
      return lineAtCarrier(bench, parcel, question, line, (known, carrier, trackingNumber) =>
        trackingNumber === undefined
          ? { bench: moved(known, { ...parcel, question: { ask: 'tracking-number', carrier } }), effects: [] }
          : dispatched(known, parcel, { carrier, trackingNumber }),
      );
    case 'tracking-number':
      if (!isParcelNumber(line)) return said(bench, 'badTrackingNumber');
      return dispatched(bench, parcel, { carrier: question.carrier, trackingNumber: line });
    case 'corrected':
      // The letter again, never Enter: after D that is pressed to take the last carrier.
      if (commandOf(line) !== 'dispatch') return said(bench, 'confirmCorrected');
      return confirmed(alarmSeen(bench, parcel), question.handover);
  }
}

const dispatched = (bench: Bench, parcel: AtParcel, handover: Handover): Step =>
  recheckBegun(bench, parcel, { what: 'dispatch', ...handover }) ?? dispatchReported(bench, parcel, handover);

/** The parcel is dispatched although it was corrected. */
function confirmed({ bench, parcel }: ReturnType<typeof alarmSeen>, handover: Handover | undefined): Step {
  if (handover === undefined) return { bench: moved(bench, { ...parcel, question: { ask: 'carrier' } }), effects: [] };
  return dispatched(bench, parcel, handover);
}

/** A line at a parcel. @returns undefined when it is the number of another parcel */
export function lineAtParcel(bench: Bench, flow: AtParcel, line: string): Step | undefined {
  const { discarding: _armed, refusing, ...parcel } = flow;
  const here = moved(bench, parcel);
  if (refusing) return line === '' ? enteredAfterRefusal(here, parcel) : scanRefused(bench, parcel, line);
  const command = commandOf(line);
  if (parcel.question !== undefined) {
    if (takesPhotos(parcel) && (command === 'camera' || command === 'file')) return commanded(here, parcel, command);
    return lineAtQuestion(here, parcel, parcel.question, line);
  }
  if (line === '') return entered(here, parcel);
  if (command !== undefined) return commanded(here, parcel, command);
  return measurementLine(here, parcel, line) ?? scannedHere(here, parcel, line);
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
      return dispatchBegun(bench, parcel);
    case 'count':
      return countBegun(bench, parcel);
    case 'processing':
      return reporting(bench, parcel, { type: 'processing', ...numbersOf(subject), ...countFields(parcel) });
    case 'put-away':
      return reporting(bench, parcel, { type: 'put_away', ...numbersOf(subject), ...countFields(parcel) });
    case 'end':
      return finishedUnweighed(bench, parcel);
    case 'unclaimed':
      return hasUnsaved(parcel) ? said(bench, 'finishFirst', titleOf(subject)) : unclaimedOpened(bench);
    case 'scale':
    case 'reports':
      return effect({ do: command });
    case 'seen':
      return parcel.alarm === undefined ? said(bench, 'notCorrected') : { bench: alarmSeen(bench, parcel).bench, effects: [] };
    default:
      return recheckBegun(bench, parcel, { what: 'print', kind: command }) ?? said(bench, 'noDocument', command);
  }
}
