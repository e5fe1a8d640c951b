import { type Bench, type Effect, moved, type Notice, type Step, said } from './bench.ts';
import { isProductOf } from './count.ts';
import { commandOf } from './entry.ts';
import {
  type AtUnclaimed,
  isEmpty,
  isOutdated,
  parcelMeant,
  refusalOf,
  type UnclaimedAsk,
  type UnclaimedDoing,
  type UnclaimedPage,
  type UnclaimedResponse,
} from './unclaimed.ts';

const NO_PAGE: UnclaimedPage = { parcels: [], cursors: [], next: undefined };
/** Longest reason of a dismissal. */
const MAX_REASON = 500;
const list: UnclaimedDoing = { what: 'list' };

export const unclaimedOpened = (bench: Bench): Step =>
  asking(bench, { at: 'unclaimed', page: NO_PAGE, doing: list }, { ask: 'page', cursors: [] });

function asking(bench: Bench, flow: AtUnclaimed, ask: UnclaimedAsk, notice?: Notice): Step {
  const before = flow.doing.what === 'busy' ? flow.doing.before : flow.doing;
  const effect: Effect = { do: 'unclaimed', ask };
  return { bench: moved(bench, { ...flow, doing: { what: 'busy', ask, before } }, notice), effects: [effect] };
}

const doing = (bench: Bench, flow: AtUnclaimed, next: UnclaimedDoing, notice?: Notice): Step => ({
  bench: moved(bench, { ...flow, doing: next }, notice),
  effects: [],
});

export function unclaimedLine(bench: Bench, flow: AtUnclaimed, line: string): Step {
  const now = flow.doing;
  switch (now.what) {
    case 'busy':
      // Not kept for later: an Enter that came too early would claim a parcel for a forecast that nobody has looked at.
      return said(bench, 'oneMoment', undefined, 'good');
    case 'list':
      return listLine(bench, flow, line);
    case 'whose': {
      if (commandOf(line) === 'exception') return doing(bench, flow, { what: 'reason', parcel: now.parcel, before: now });
      if (line === '') return said(bench, 'whoseFirst');
      if (!/^\d{1,2}$/.test(line)) return asking(bench, flow, { ask: 'lookup', scan: line });
      const chosen = now.choices[Number(line) - 1];
      if (chosen === undefined) return said(bench, 'chooseNumber');
      return asking(bench, flow, { ask: 'read', forecastNo: chosen.forecast.forecast_no });
    }
    case 'confirm':
      if (line !== '') return said(bench, 'enterClaims');
      return asking(bench, flow, { ask: 'claim', id: now.parcel.id, forecastNo: now.forecast.forecast_no });
    case 'reason':
      if (line === '') return said(bench, 'reasonFirst');
      return asking(bench, flow, { ask: 'dismiss', id: now.parcel.id, reason: line.slice(0, MAX_REASON) });
  }
}

function listLine(bench: Bench, flow: AtUnclaimed, line: string): Step {
  const { cursors, next } = flow.page;
  const command = commandOf(line);
  if (command === 'unclaimed') return asking(bench, flow, { ask: 'page', cursors });
  if (command === 'scale' || command === 'reports') return { bench, effects: [{ do: command }] };
  if (line === '+') return next === undefined ? said(bench, 'lastPage') : asking(bench, flow, { ask: 'page', cursors: [...cursors, next] });
  if (line === '-')
    return cursors.length === 0 ? said(bench, 'firstPage') : asking(bench, flow, { ask: 'page', cursors: cursors.slice(0, -1) });
  const parcel = line === '' ? undefined : parcelMeant(flow.page, line);
  if (parcel === undefined && isEmpty(flow.page)) return said(bench, 'nothingWaits', undefined, 'good');
  if (parcel === undefined) return line === '' || line.length < 4 ? said(bench, 'chooseNumber') : said(bench, 'notListed', line);
  const whose = { what: 'whose', parcel, choices: [], hasMore: false } as const;
  if (parcel.candidates.length === 0) return doing(bench, flow, whose);
  return asking(bench, { ...flow, doing: whose }, { ask: 'candidates', parcel });
}

export function unclaimedEscape(bench: Bench, flow: AtUnclaimed): Step {
  const now = flow.doing;
  switch (now.what) {
    case 'busy':
      if (now.ask.ask === 'claim' || now.ask.ask === 'dismiss') return { bench, effects: [] };
      return now.ask.ask === 'page' && flow.page === NO_PAGE
        ? { bench: moved(bench, { at: 'scan' }), effects: [] }
        : doing(bench, flow, now.before);
    case 'list':
      return { bench: moved(bench, { at: 'scan' }), effects: [] };
    case 'whose':
      return doing(bench, flow, list);
    default:
      return doing(bench, flow, now.before);
  }
}

/** A response of the platform. One to something that is no longer asked changes nothing. */
export function unclaimedResponded(bench: Bench, ask: UnclaimedAsk, response: UnclaimedResponse): Step {
  const { flow } = bench;
  if (flow.at !== 'unclaimed' || flow.doing.what !== 'busy' || flow.doing.ask !== ask) return { bench, effects: [] };
  const { before } = flow.doing;
  switch (response.of) {
    case 'page':
      return { bench: moved(bench, { ...flow, page: response.page, doing: list }, bench.notice), effects: [] };
    case 'choices':
      return onChoices(bench, flow, ask, before, response);
    case 'forecast':
      if (before.what !== 'whose') return doing(bench, flow, before);
      // Claimed, the code of a product would lead every parcel with this product there.
      if (isProductOf(response.forecast, before.parcel.number))
        return doing(bench, flow, before, { tone: 'bad', key: 'claimOfProduct', value: before.parcel.number });
      return doing(bench, flow, { what: 'confirm', parcel: before.parcel, forecast: response.forecast, before });
    case 'done':
      return onDone(bench, flow, before, response.events);
    case 'failure':
      return onFailure(bench, flow, before, response);
  }
}

function onChoices(
  bench: Bench,
  flow: AtUnclaimed,
  ask: UnclaimedAsk,
  before: UnclaimedDoing,
  response: Extract<UnclaimedResponse, { of: 'choices' }>,
): Step {
  if (before.what !== 'whose') return doing(bench, flow, before);
  const { choices, hasMore } = response;
  const [only] = choices;
  if (ask.ask === 'candidates') return doing(bench, flow, { ...before, choices, hasMore });
  const scan = ask.ask === 'lookup' ? ask.scan : '';
  if (only === undefined) return doing(bench, flow, before, { tone: 'bad', key: 'nobodys', value: scan });
  const shown = { ...flow, doing: { ...before, choices, hasMore } };
  return choices.length > 1
    ? doing(bench, flow, shown.doing)
    : asking(bench, shown, { ask: 'read', forecastNo: only.forecast.forecast_no });
}

/** Says what was done, and reads the list again: what waited under the number is gone. */
function onDone(bench: Bench, flow: AtUnclaimed, before: UnclaimedDoing, events: number): Step {
  if (before.what !== 'confirm' && before.what !== 'reason') return doing(bench, flow, before);
  const value = before.parcel.number;
  const claimed = before.what === 'confirm' ? { claimedFor: before.forecast.po_number || before.forecast.forecast_no } : {};
  const about = { value, detail: claimed.claimedFor ?? '', reports: events };
  const notice: Notice = { tone: 'good', key: before.what === 'confirm' ? 'claimed' : 'dismissed', ...about };
  const resolved: Effect = { do: 'resolved', number: value, ids: before.parcel.reports.map(({ id }) => id), ...claimed };
  const next = reread(bench, flow, notice);
  return { ...next, effects: [resolved, ...next.effects] };
}

const reread = (bench: Bench, flow: AtUnclaimed, notice: Notice): Step =>
  asking(bench, { ...flow, doing: list }, { ask: 'page', cursors: flow.page.cursors }, notice);

function onFailure(bench: Bench, flow: AtUnclaimed, before: UnclaimedDoing, failure: Extract<UnclaimedResponse, { of: 'failure' }>): Step {
  const refusal = refusalOf(failure);
  if (refusal !== undefined) {
    const notice: Notice = { tone: 'bad', ...refusal };
    if (isOutdated(refusal)) return reread(bench, flow, notice);
    return doing(bench, flow, before.what === 'confirm' ? before.before : before, notice);
  }
  // None of it is tried again by itself.
  const { offline, code, message } = failure;
  const failed = { key: 'unclaimedFailed', value: `${code} ${message}`.trim() } as const;
  const notice: Notice = { tone: 'bad', ...(offline ? { key: 'unclaimedOffline' } : failed) };
  // Without a page there is nothing to look at.
  if (flow.page === NO_PAGE) return { bench: moved(bench, { at: 'scan' }, notice), effects: [] };
  return doing(bench, flow, before, notice);
}
