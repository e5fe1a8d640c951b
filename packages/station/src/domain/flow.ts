import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import {
  type AtParcel,
  type Bench,
  type Candidate,
  type Effect,
  hasUnsaved,
  measured,
  moved,
  type Printed,
  type ScaleReading,
  type Step,
  type Subject,
  said,
  scanRefused,
  titleOf,
} from './bench.ts';
import { alarmSeen, documentPrinted, listed, onReadAgain, outdatedDocuments, type ReadAgain } from './corrections.ts';
import { isByProduct, isProductCode } from './count.ts';
import { cleanLine, commandOf, isMeasure, isParcelNumber, resemblesWeight } from './entry.ts';
import { lineAtParcel, onPhoto, onPhotoDropped } from './parcel-lines.ts';
import type { BenchPhoto } from './report.ts';
import { arrivalReported, arrives, hasArrivedHere, openedUnasked } from './reporting.ts';
import type { UnclaimedAsk, UnclaimedResponse } from './unclaimed.ts';
import { unclaimedEscape, unclaimedLine, unclaimedOpened, unclaimedResponded } from './unclaimed-lines.ts';
import { isLeftUnweighed, leftBehind, measurementAsked, measurementTooEarly, weighedBefore } from './weighing.ts';

export type Action =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'escape' }
  | {
      readonly type: 'looked-up';
      readonly scan: string;
      readonly candidates: readonly Candidate[];
      readonly hasMore: boolean;
      readonly offline: boolean;
    }
  | { readonly type: 'opened'; readonly scan: string; readonly candidate: Candidate; readonly detail?: WarehouseForecastDetail }
  | { readonly type: 'lookup-failed'; readonly scan: string }
  | { readonly type: 'listed'; readonly forecastNo: string; readonly version: number }
  | ({ readonly type: 'read-again' } & ReadAgain)
  | { readonly type: 'printed'; readonly document: Printed; readonly unseen: boolean }
  | { readonly type: 'seen' }
  | { readonly type: 'unclaimed'; readonly ask: UnclaimedAsk; readonly response: UnclaimedResponse }
  | { readonly type: 'kept' | 'not-kept' }
  | { readonly type: 'photo'; readonly photo: BenchPhoto }
  /** A weight or a size is to be typed now, perhaps again. */
  | { readonly type: 'correct'; readonly what: 'weight' | 'size' }
  | { readonly type: 'drop-photo'; readonly photo: BenchPhoto }
  | { readonly type: 'reading'; readonly reading: ScaleReading | undefined }
  | { readonly type: 'carriers'; readonly carriers: readonly string[] };

const MAX_AHEAD = 8;
export const emptyBench: Bench = { flow: { at: 'scan' }, carriers: [], confirmed: [], arrived: [], printed: [], full: false };

/** One step of the work. Pure: what has to be done besides is in `effects`. */
export function step(bench: Bench, action: Action): Step {
  switch (action.type) {
    case 'line':
      return onLine(bench, cleanLine(action.text));
    case 'escape':
      return onEscape(bench);
    case 'looked-up':
      return onLookedUp(bench, action);
    case 'opened':
      return onOpened(bench, action);
    case 'lookup-failed':
      return onLookupFailed(bench, action.scan);
    case 'listed':
      return listed(bench, action.forecastNo, action.version);
    case 'read-again': {
      const { ahead, ...read } = onReadAgain(bench, action);
      return replayed(read, ahead);
    }
    case 'printed':
      return still(documentPrinted(bench, action.document, action.unseen));
    case 'seen':
      return still(bench.flow.at === 'parcel' ? alarmSeen(bench, bench.flow).bench : bench);
    case 'unclaimed':
      return unclaimedResponded(bench, action.ask, action.response);
    case 'kept':
      return onKept(bench);
    case 'not-kept':
      return bench.flow.at === 'saving' ? said(moved(bench, bench.flow.parcel), 'notKept') : said(bench, 'notKept');
    case 'photo':
      return onPhoto(bench, action.photo);
    case 'correct':
      return measurementAsked(bench, action.what);
    case 'drop-photo':
      return onPhotoDropped(bench, action.photo);
    case 'reading': {
      const { reading: _former, ...others } = bench;
      return still(action.reading === undefined ? others : { ...others, reading: action.reading });
    }
    case 'carriers':
      return still({ ...bench, carriers: action.carriers });
  }
}

const still = (bench: Bench): Step => ({ bench, effects: [] });

function onLine(bench: Bench, line: string): Step {
  const { flow } = bench;
  switch (flow.at) {
    case 'looking':
    case 'saving':
      return still({ ...bench, flow: { ...flow, ahead: [...flow.ahead, line].slice(0, MAX_AHEAD) } });
    case 'scan':
      return line === '' ? still(bench) : scanned(bench, line);
    case 'choose':
      return chosen(bench, flow, line);
    case 'unknown':
      return ofUnknown(bench, flow, line);
    case 'unclaimed':
      return unclaimedLine(bench, flow, line);
    case 'parcel': {
      const { checking } = flow;
      if (checking !== undefined)
        return still({ ...bench, flow: { ...flow, checking: { ...checking, ahead: [...checking.ahead, line].slice(0, MAX_AHEAD) } } });
      return lineAtParcel(bench, flow, line) ?? scanned(bench, line, flow);
    }
  }
}

/** A line that is the number of a parcel, or asks for something that needs none. @param from the parcel that lies on the bench */
function scanned(bench: Bench, line: string, from?: AtParcel): Step {
  const command = commandOf(line);
  if (command === 'scale' || command === 'reports') return { bench, effects: [{ do: command }] };
  if (command === 'unclaimed') return unclaimedOpened(bench);
  if (command !== undefined) return said(bench, 'scanFirst');
  if (from === undefined && isMeasure(line)) return measurementTooEarly(bench, line);
  if (line.length < 2) return said(bench, 'noNumber', line);
  const looking = { at: 'looking' as const, scan: line, ahead: [], ...(from === undefined ? {} : { from }) };
  return { bench: moved(bench, looking), effects: [{ do: 'lookup', scan: line }] };
}

function chosen(bench: Bench, { scan, candidates }: Extract<Bench['flow'], { at: 'choose' }>, line: string): Step {
  const [first, ...others] = candidates;
  const isAlone = others.length === 0;
  // For one parcel Enter means yes, and no number does: that may be a weight.
  const candidate = isAlone ? (line === '' ? first : undefined) : candidates[/^\d{1,2}$/.test(line) ? Number(line) - 1 : -1];
  if (candidate !== undefined)
    return { bench: moved(bench, { at: 'looking', scan, ahead: [] }), effects: [{ do: 'open', scan, candidate }] };
  if (/^0{1,2}$/.test(line)) {
    // Claimed later, it would draw every parcel with this product to one forecast.
    if (isProductCode(scan) || candidates.some(isByProduct)) return said(bench, 'productNumber', scan);
    return isParcelNumber(scan) ? opened(bench, { scan }, []) : said(bench, 'noNumber', scan);
  }
  return /^\d{0,2}$/.test(line) ? said(bench, isAlone ? 'enterConfirms' : 'chooseNumber') : scanned(bench, line);
}

function ofUnknown(bench: Bench, flow: Extract<Bench['flow'], { at: 'unknown' }>, line: string): Step {
  const { scan, asked } = flow;
  const command = commandOf(line);
  if (line !== '' && command !== 'exception') return scanned(bench, line);
  if (!isParcelNumber(scan)) return said(bench, 'noNumber', scan);
  // The number of a carrier may have the check digit of a product's code by chance.
  if (isProductCode(scan) && asked !== true) return said(moved(bench, { ...flow, asked: true }), 'carriersNumber', scan);
  return opened(bench, { scan }, command === 'exception' ? [line] : []);
}

function onEscape(bench: Bench): Step {
  const { flow } = bench;
  if (flow.at === 'saving') return still(bench);
  if (flow.at === 'unclaimed') return unclaimedEscape(bench, flow);
  if (flow.at !== 'parcel') return still(moved(bench, { at: 'scan' }));
  if (flow.checking !== undefined) {
    const { checking: _given, ...parcel } = flow;
    return still(moved(bench, parcel));
  }
  if (flow.question !== undefined) {
    const { question: _asked, ...parcel } = flow;
    return still(moved(bench, parcel));
  }
  if (flow.correcting !== undefined) return still(moved(bench, measured(flow, {})));
  if (hasUnsaved(flow) && flow.discarding !== true) return said(armed(bench, flow), 'escapeAgain');
  if (flow.alarm !== undefined && flow.discarding !== true) return said(armed(bench, flow), 'correctedFirst', titleOf(flow.subject));
  const effects: Effect[] = flow.photos.length > 0 ? [{ do: 'drop-photos', photos: flow.photos }] : [];
  const { subject } = flow;
  const key = hasArrivedHere(bench, subject) ? 'putAsideArrived' : 'putAside';
  return { bench: moved(bench, { at: 'scan' }, { tone: 'good', key, value: titleOf(subject) }), effects };
}

const armed = (bench: Bench, { refusing: _settled, ...parcel }: AtParcel): Bench => moved(bench, { ...parcel, discarding: true });
const lookingFor = ({ flow }: Bench, scan: string) => (flow.at === 'looking' && flow.scan === scan ? flow : undefined);

function onLookupFailed(bench: Bench, scan: string): Step {
  const looking = lookingFor(bench, scan);
  if (looking === undefined) return still(bench);
  return looking.from === undefined ? still(moved(bench, { at: 'scan' })) : scanRefused(bench, looking.from, scan);
}

/** A scan that nothing fits leaves the parcel on the bench where it is: it may be a weight that was mistyped. */
function notFound(bench: Bench, from: AtParcel, scan: string): Step {
  if (resemblesWeight(scan) || !isParcelNumber(scan)) return said(moved(bench, from), 'noWeight', scan);
  return scanRefused(bench, from, scan, 'notKnown');
}

function onLookedUp(bench: Bench, { scan, candidates, hasMore, offline }: Extract<Action, { type: 'looked-up' }>): Step {
  const looking = lookingFor(bench, scan);
  if (looking === undefined) return still(bench);
  if (candidates.length === 0) {
    if (looking.from !== undefined) return notFound(bench, looking.from, scan);
    // Only the platform knows whose product it is.
    if (offline && isProductCode(scan)) return said(moved(bench, { at: 'scan' }), 'productOffline', scan);
    return still(moved(bench, { at: 'unknown', scan, offline }));
  }
  const candidate = openedUnasked(candidates);
  if (candidate === undefined) return choosing(bench, { at: 'choose', scan, candidates, hasMore }, looking.from);
  return { bench, effects: [{ do: 'open', scan, candidate }] };
}

function choosing(bench: Bench, flow: Extract<Bench['flow'], { at: 'choose' }>, from: AtParcel | undefined): Step {
  const next = still(moved(bench, flow));
  return from === undefined || !isLeftUnweighed(from, ...flow.candidates) ? next : leftBehind(next, from, '');
}

function onOpened(bench: Bench, { scan, candidate, detail }: Extract<Action, { type: 'opened' }>): Step {
  if (bench.flow.at !== 'looking' || bench.flow.scan !== scan) return still(bench);
  const subject: Subject = {
    scan,
    forecast: detail ?? candidate.forecast,
    ...(candidate.matched_by === 'tracking_number' ? { expressNo: scan } : {}),
    ...(detail === undefined ? {} : { detail }),
  };
  const before = bench.flow.from;
  const next = opened(bench, subject, bench.flow.ahead);
  return before === undefined || !isLeftUnweighed(before, candidate) ? next : leftBehind(next, before, titleOf(subject));
}

function opened(bench: Bench, subject: Subject, ahead: readonly string[]): Step {
  // What was printed here before a correction lies on the parcel, perhaps.
  const isOutdated = outdatedDocuments(bench, subject).length > 0;
  const parcel: AtParcel = { at: 'parcel', subject, photos: [], ...(isOutdated ? { alarm: { changes: [] } } : {}) };
  const next = arrives(bench, subject) ? arrivalReported(bench, parcel) : still(moved(bench, parcel, weighedBefore(subject)));
  return next.bench.flow.at === 'parcel' ? replayed(next, ahead) : next;
}

function replayed(first: Step, ahead: readonly string[]): Step {
  return ahead.reduce<Step>((before, line) => {
    const next = onLine(before.bench, line);
    return { bench: next.bench, effects: [...before.effects, ...next.effects] };
  }, first);
}

function onKept(bench: Bench): Step {
  if (bench.flow.at !== 'saving') return still(bench);
  const { parcel, ahead } = bench.flow;
  const key = parcel.subject.forecast === undefined ? 'savedUnknown' : 'saved';
  const done = { ...(parcel.weightKg !== undefined && { weightKg: parcel.weightKg }), photos: parcel.photos.length };
  const saved = moved(bench, { at: 'scan' }, { tone: 'good', key, value: titleOf(parcel.subject), done });
  return replayed({ bench: { ...saved, ...(parcel.size === undefined ? {} : { lastSize: parcel.size }) }, effects: [] }, ahead);
}
