import { failpointAsync } from '@parcelway/kernel/failpoint';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Write } from '@parcelway/store/store';
import type { DecideView, ViewChange } from './domain/decide-view.ts';
import { countChange } from './domain/declared-numbers.ts';
import type { DirectoryChange, DirectoryEntry, ScannedNumber } from './domain/directory.ts';
import { isDeclared, poKey } from './domain/event.ts';
import type { BatchEvent, ListedForecast } from './domain/match-batch.ts';
import { type Expected, type ExpectedKey, expected, keyOf, type StoredExpected, shownIn } from './expected-collection.ts';
import type { NumberCounts } from './number-counts.ts';
import type { ViewSequence } from './view-sequence.ts';
import { type Fields, type ShownChange, type ViewWriteOptions, viewWrites, writeOf } from './view-writes.ts';

interface ReadEntry {
  readonly stored: StoredExpected;
  /** Undefined while only the view knows the forecast. */
  readonly entry: DirectoryEntry | undefined;
  /** See ListedForecast; known of those that were looked up. */
  readonly isSuspect?: boolean;
}

/** Entries as they were read, by the numbers of their forecasts; undefined where there is none. A change of one of them needs no read of its own. */
export type ReadEntries = ReadonlyMap<string, ReadEntry | undefined>;

/** What becomes of a forecast: of what reports are matched with, and of what warehouses are shown. */
export interface ExpectedChange {
  readonly entry?: DirectoryChange | undefined;
  readonly view?: DecideView | undefined;
}

export type ExpectedChanges = ReadonlyMap<string, ExpectedChange>;

export interface ChangedEntry {
  readonly before: DirectoryEntry | undefined;
  readonly after: DirectoryEntry | undefined;
}

/** A change of a forecast as it is stored. */
interface Decided extends ChangedEntry, Omit<ShownChange, 'change'> {
  readonly forecastNo: string;
  /** What warehouses are shown is decided on. */
  readonly hasView: boolean;
  readonly change: ViewChange | undefined;
}

export interface DirectoryOptions extends ViewWriteOptions {
  readonly store: Store;
  readonly counts: NumberCounts;
  readonly sequence: ViewSequence;
  /** Nothing is matched with what is left of such a tenant: it would outlive its forecast. Default never. */
  readonly isErased?: ((tenantId: string) => boolean) | undefined;
}

/** More forecasts than any number leads to. */
const MAX_FOUND = 10_000;
/** Leads that one read asks for. */
const LEADS_AT_ONCE = 2000;

/* What leads to a forecast, as texts: a number as the directory has it, a number that was claimed for it, a forecast number that was claimed for it. No number has a blank but that of a poKey. */
const claimLead = (number: string): string => `claim ${number}`;
const aliasLead = (forecastNo: string): string => `named ${forecastNo}`;
const isNumber = (lead: string): boolean => !lead.startsWith('claim ') && !lead.startsWith('named ');

/**
 * The forecasts that events are matched with. Reads and writes; domain/directory decides. A decision is written on condition that the document is still as
 * it was read, else it is decided again.
 */
export class Directory {
  readonly #options: DirectoryOptions;

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /**
   * What a match of these events depends on: the forecasts that they name, were published for or resolved to, those that declare their numbers, and those
   * that their numbers were claimed for.
   */
  async lookUp(events: readonly BatchEvent[]): Promise<ReadEntries> {
    const named = new Set<string>();
    const leads = new Map<string, Set<string>>();
    const orders = new Set<string>();
    for (const { event, publishedTo, resolvedTo } of events) {
      const { warehouseCode, forecastNo, scannedNumber } = event;
      const known = publishedTo ?? resolvedTo;
      if (known !== undefined) named.add(known);
      if (publishedTo !== undefined) continue;
      const asked = leads.get(warehouseCode) ?? new Set();
      leads.set(warehouseCode, asked);
      if (forecastNo !== null) {
        named.add(forecastNo);
        asked.add(aliasLead(forecastNo));
      }
      if (scannedNumber === null) continue;
      orders.add(poKey(scannedNumber));
      asked.add(scannedNumber).add(poKey(scannedNumber));
    }
    const found = await Promise.all([
      this.#options.store.read(expected, [...named].map(keyOf)),
      ...[...leads].map(([warehouseCode, asked]) => this.#leading(warehouseCode, [...asked])),
    ]);
    const left = found.flat().filter(({ value }) => value.tenantId === undefined || !this.#options.isErased?.(value.tenantId));
    return this.#withSuspects(entriesIn(left), orders);
  }

  /** Entries by the numbers of their forecasts. @param withShown reads what warehouses are shown as well, for changes of it */
  async read(forecastNos: readonly string[], withShown = false): Promise<ReadEntries> {
    return entriesIn(await this.#options.store.read(expected, forecastNos.map(keyOf), { with: withShown ? ['shown'] : [] }));
  }

  /** Those of the forecasts to which an event under the number went at their warehouse. */
  async seenUnder({ warehouseCode, number }: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>> {
    // A forecast that moved to another warehouse keeps what was claimed, but not its numbers.
    const isSeen = (entry: DirectoryEntry | undefined): boolean =>
      entry?.forecast?.warehouseCode === warehouseCode && entry.numbers.includes(number) && entry.claimed.includes(number);
    return new Set([...(await this.read(forecastNos))].filter(([, read]) => isSeen(read?.entry)).map(([forecastNo]) => forecastNo));
  }

  /**
   * Numbers of the forecasts that the warehouse has claimed a logistics number for, at most `limit`, and a forecast number, at most `limit` again.
   * @param scanned as a forecast number and as a logistics number are compared
   */
  async claimedFor(
    warehouseCode: string,
    { text, number }: { readonly text: string; readonly number: string },
    limit: number,
  ): Promise<readonly string[]> {
    const entries = entriesIn(await this.#leading(warehouseCode, [claimLead(number), aliasLead(text)]));
    const latest = (field: 'assigned' | 'aliases', claimed: string): readonly string[] => {
      const claims = [...entries].flatMap(([forecastNo, read]) =>
        (read?.entry?.[field] ?? []).filter((claim) => claim.number === claimed).map(({ by }) => ({ forecastNo, by })),
      );
      return claims.sort((a, b) => (a.by < b.by ? 1 : -1)).map(({ forecastNo }) => forecastNo);
    };
    return [...latest('assigned', number).slice(0, limit), ...latest('aliases', text).slice(0, limit)];
  }

  /**
   * Changes forecasts: one read, one decision and one write for all of them, unless others change them at the same time. Once it has resolved, a poll shows
   * what warehouses are shown, also changes that were written before and whose caller did not live to hear of it. The notes of a change are written with
   * it, if the view keeps them. When a forecast goes to another warehouse, polls of the former one show that until it comes back.
   * @param known forecasts as they were read before, or undefined for those that do not exist as a rule: then the first try reads nothing
   * @throws AppError 50301 when others were quicker each time. A part may be written then
   */
  async change(changes: ExpectedChanges, known?: ReadEntries): Promise<ReadonlyMap<string, ChangedEntry>> {
    const changed = new Map<string, ChangedEntry>();
    const open = new Map(changes);
    let entries = known !== undefined && [...changes.keys()].every((forecastNo) => known.has(forecastNo)) ? known : undefined;
    const hasViews = [...changes.values()].some(({ view }) => view !== undefined);
    if (hasViews) await failpointAsync('intake.before-view');
    const done = ({ forecastNo, before, after }: Decided): void => {
      open.delete(forecastNo);
      changed.set(forecastNo, { before, after });
    };
    const tried = async (): Promise<true | undefined> => {
      const read = entries ?? (await this.read([...open.keys()], hasViews));
      entries = undefined;
      const decided = [...open].map(([forecastNo, decide]) => decidedOn(forecastNo, decide, read.get(forecastNo)));
      const repeated = decided.flatMap(({ stored, hasView, seen, change }) => (hasView && seen && !change && stored ? [stored.value] : []));
      await this.#options.sequence.renew(repeated);
      const differing = decided.filter(({ before, after, change }) => after !== before || change !== undefined);
      await this.#write(differing, done);
      for (const one of decided) if (!differing.includes(one)) done(one);
      return open.size === 0 || undefined;
    };
    try {
      await untilWritten(tried);
    } finally {
      // Counts what was written before a failure too: a repeated change finds no difference and counts nothing.
      await this.#options.counts.add(
        [...changed.values()].flatMap(({ before, after }) => (after === before ? [] : (countChange(before, after) ?? []))),
      );
    }
    if (hasViews) await failpointAsync('intake.after-view');
    return changed;
  }

  /** @param done called with each that was written. What the change follows from comes again, or is written down */
  async #write(decided: readonly Decided[], done: (one: Decided) => void): Promise<void> {
    if (decided.length === 0) return;
    const { store, sequence } = this.#options;
    const shown = decided.filter((one): one is Decided & ShownChange => one.change !== undefined);
    const writesOf = shown.length === 0 ? [] : await viewWrites(store, this.#options, shown);
    const placeOf = new Map<Decided, number>(shown.map((one, place) => [one, place]));
    const write = async (first: number): Promise<readonly ExpectedKey[]> => {
      const made = decided.map((one) => {
        const place = placeOf.get(one);
        const own = place === undefined ? undefined : writesOf[place]?.(first + place);
        const set = { ...fieldsOf(one.stored?.value, one.before, one.after), ...own?.set };
        return { writes: [...(own?.beside ?? []), writeOf(one.stored, keyOf(one.forecastNo), set, own?.messages)], keys: own?.keys ?? [] };
      });
      const isWritten = await this.#apply(made.map(({ writes }) => writes));
      for (const [place, one] of decided.entries()) if (isWritten[place]) done(one);
      return made.flatMap(({ keys }) => keys);
    };
    if (shown.length === 0) await write(0);
    else await sequence.stamped(shown.length, write);
  }

  /** Makes groups of writes, each all or none. @returns for each whether it was made */
  async #apply(groups: readonly (readonly Write[])[]): Promise<readonly boolean[]> {
    const { store } = this.#options;
    const single = groups.filter(({ length }) => length === 1);
    const [outcomes, ...together] = await Promise.all([
      store.apply(single.flat(), { flushLater: true }),
      ...groups.filter(({ length }) => length > 1).map((group) => store.apply(group, { together: true, flushLater: true })),
    ]);
    const made = new Map(single.map((group, place) => [group, outcomes[place]?.kind === 'written']));
    return groups.map((group) => made.get(group) ?? together.shift()?.every(({ kind }) => kind === 'written') === true);
  }

  async #leading(warehouseCode: string, leads: readonly string[]): Promise<readonly StoredExpected[]> {
    const found: StoredExpected[] = [];
    for (let first = 0; first < leads.length; first += LEADS_AT_ONCE) {
      const any = leads.slice(first, first + LEADS_AT_ONCE);
      found.push(...(await this.#options.store.find(expected.by.leads, { eq: [warehouseCode], any, limit: MAX_FOUND })).items);
    }
    return found;
  }

  /**
   * Says which of the forecasts are of suspect tenants. No scan goes to one that has no declared number left to be seen, or is held up by it,
   * unless it has the number as its po_number.
   * @param orders the scanned numbers as poKeys
   */
  async #withSuspects(found: ReadEntries, orders: ReadonlySet<string>): Promise<ReadEntries> {
    const matters = (entry: DirectoryEntry): boolean => isOpen(entry) || entry.numbers.some((number) => orders.has(number));
    const tenants = [...found.values()].flatMap((read) =>
      read?.entry && matters(read.entry) ? (read.entry.forecast?.tenantId ?? []) : [],
    );
    const suspects = await this.#options.counts.suspectsAmong([...new Set(tenants)]);
    if (suspects.size === 0) return found;
    const marked = (read: ReadEntry): ReadEntry => ({ ...read, isSuspect: suspects.has(read.entry?.forecast?.tenantId ?? '') });
    return new Map([...found].map(([forecastNo, read]) => [forecastNo, read && marked(read)]));
  }
}

/** True while a number of the forecast waits for its first scan. */
const isOpen = ({ numbers, claimed }: DirectoryEntry): boolean => numbers.some((number) => isDeclared(number) && !claimed.includes(number));

/** The entries as a match needs them. */
export function listedIn(entries: ReadEntries): readonly ListedForecast[] {
  return [...entries.values()].flatMap((read) => {
    if (!read?.entry?.forecast) return [];
    return [{ ...read.entry, forecast: read.entry.forecast, isSuspect: read.isSuspect === true }];
  });
}

function entriesIn(found: readonly StoredExpected[]): ReadEntries {
  return new Map(found.map((stored) => [stored.value.forecastNo, { stored, entry: entryOf(stored.value) }]));
}

function entryOf(document: Expected): DirectoryEntry | undefined {
  const { forecastNo, tenantId, environment, warehouseCode, forecastType, version, leads = [] } = document;
  if (version === undefined) return undefined;
  const isComplete = tenantId !== undefined && environment !== undefined && warehouseCode !== undefined && forecastType !== undefined;
  return {
    forecastNo,
    forecast: isComplete ? { forecastNo, tenantId, environment, warehouseCode, forecastType } : null,
    version,
    numbers: leads.filter(isNumber),
    claimed: document.claimed ?? [],
    assigned: document.assigned ?? [],
    aliases: document.aliases ?? [],
    released: document.released ?? [],
    cancelledAt: document.cancelledAt ?? null,
    finishedAt: document.finishedAt ?? null,
  };
}

const listOrNone = <T>(list: readonly T[]): T[] | undefined => (list.length === 0 ? undefined : [...list]);

function decidedOn(forecastNo: string, { entry, view }: ExpectedChange, read: ReadEntry | undefined): Decided {
  const { stored, entry: before } = read ?? {};
  const seen = stored && shownIn(stored);
  // What a fact leaves alone it may have no entry for.
  const after = entry?.(before) ?? before;
  return { forecastNo, stored, before, after, hasView: view !== undefined, seen, change: view?.(seen) };
}

/** The fields of an entry that differ; undefined where the document has none. */
function fieldsOf(stored: Expected | undefined, before: DirectoryEntry | undefined, after: DirectoryEntry | undefined): Fields {
  if (after === undefined || after === before) return {};
  const { forecast, version, numbers, claimed, assigned, aliases, released, cancelledAt, finishedAt } = after;
  const { forecastNo: _, ...identity } = forecast ?? { forecastNo: '' };
  const differ = (...fields: (keyof DirectoryEntry)[]): boolean => fields.some((field) => before?.[field] !== after[field]);
  const leads = [...numbers, ...assigned.map(({ number }) => claimLead(number)), ...aliases.map(({ number }) => aliasLead(number))];
  return {
    version,
    ...(differ('forecast') && identity),
    ...(differ('numbers', 'assigned', 'aliases') && { leads: listOrNone([...new Set(leads)]) }),
    ...(differ('claimed') && { claimed: listOrNone(claimed) }),
    ...(differ('assigned') && { assigned: listOrNone(assigned) }),
    ...(differ('aliases') && { aliases: listOrNone(aliases) }),
    ...(differ('released') && { released: listOrNone(released) }),
    ...(differ('cancelledAt') && { cancelledAt: cancelledAt ?? undefined }),
    ...(differ('finishedAt') && { finishedAt: finishedAt ?? undefined }),
    // What warehouses are shown says itself how long it is kept.
    ...(stored?.stamp === undefined && { closedAt: cancelledAt ?? finishedAt ?? undefined }),
  };
}
