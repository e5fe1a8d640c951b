import {
  type AtParcel,
  type Bench,
  type Effect,
  hasUnsaved,
  moved,
  numbersOf,
  phaseOf,
  type Step,
  said,
  scanRefused,
  takesPhotos,
  titleOf,
} from './bench.ts';
import { skusOf } from './count.ts';
import { countBegun, countFields, rowsAtBench } from './count-lines.ts';
import { dispatchBegun } from './dispatch.ts';
import { type Command, commandOf, comparable, isWrongWeight, MAX_SIDE_CM, resemblesSize } from './entry.ts';
import { entered, enteredAfterRefusal, finishedUnweighed } from './finish-parcel.ts';
import { measurementLine } from './measurements.ts';
import { alarmSeen } from './merchant-correction.ts';
import { lineAtQuestion } from './questions.ts';
import { recheckBegun } from './recheck.ts';
import { MAX_PHOTOS } from './report.ts';
import { reporting } from './reporting.ts';
import { unclaimedOpened } from './unclaimed-lines.ts';

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
