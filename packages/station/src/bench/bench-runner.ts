import type { WarehouseCarriers } from '@parcelway/contracts/carrier-api';
import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import type { WarehouseCalls } from '../api/warehouse.ts';
import type { Bench, Candidate, Effect, Resolved, Saved } from '../domain/bench.ts';
import { comparable, type Size } from '../domain/entry.ts';
import { type Action, emptyBench, step } from '../domain/flow.ts';
import { type BenchPhoto, measuredOf, nameOf } from '../domain/report.ts';
import type { ExpectedParcels } from '../expected/expected-parcels.ts';
import { type AddedReport, loadOf, type QueuedReport, QueueFull, type ReportQueue, type ReportWarning } from '../queue/queued-report.ts';
import { afterFailure } from '../queue/sender.ts';
import { lookUpScan, unclaimedResponse } from './lookups.ts';

export interface RecentReport {
  readonly eventId: string;
  readonly title: string;
  readonly type: string;
  readonly measured?: { readonly weightKg: number; readonly size: Size } | undefined;
  readonly photos?: number;
  readonly warning?: { readonly rule: string; readonly message: string };
  readonly resolved?: { readonly claimedFor?: string };
}

export type RecentState = 'waiting' | 'sent' | 'refused' | 'warned' | 'claimed' | 'dismissed';
export const MAX_RECENT = 100;

export const withNew = (recent: readonly RecentReport[], made: readonly RecentReport[]): RecentReport[] =>
  [...made].reverse().concat(recent).slice(0, MAX_RECENT);

export function withWarnings(recent: readonly RecentReport[], warnings: readonly ReportWarning[]): RecentReport[] {
  const byId = new Map(warnings.map(({ report, rule, message }) => [report.stamp.event_id, { rule, message }]));
  return recent.map((each) => {
    const warning = byId.get(each.eventId);
    return warning === undefined ? each : { ...each, warning };
  });
}

const UNCLAIMED = new Set(['no_forecast', 'ambiguous', 'takes_no_dispatch']);

/** The same reports once a parcel was claimed or dismissed: those that were on view, and those that waited under its number. */
export function withResolved(recent: readonly RecentReport[], { number, ids, claimedFor }: Resolved): RecentReport[] {
  const resolved = claimedFor === undefined ? {} : { claimedFor };
  const isOfIt = ({ eventId, title, warning }: RecentReport): boolean =>
    ids.includes(eventId) || (UNCLAIMED.has(warning?.rule ?? '') && comparable(title) === comparable(number));
  return recent.map((each) => (each.resolved === undefined && isOfIt(each) ? { ...each, resolved } : each));
}

/** What became of a report: one that is no longer queued was accepted. */
export function stateOf({ eventId, warning, resolved }: RecentReport, queued: readonly QueuedReport[]): RecentState {
  const report = queued.find(({ stamp }) => stamp.event_id === eventId);
  if (report !== undefined) return report.fault === undefined ? 'waiting' : 'refused';
  if (resolved !== undefined) return resolved.claimedFor === undefined ? 'dismissed' : 'claimed';
  return warning === undefined ? 'sent' : 'warned';
}

/** What the page does for the bench. Each call resolves with undefined when it failed, after showing the user why. */
export interface BenchPage {
  readonly takePhoto: () => Promise<readonly Blob[]>;
  readonly pickFiles: () => Promise<readonly Blob[]>;
  /** Resolves with false when the document could not be printed. */
  readonly print: (document: Pick<Extract<Effect, { do: 'print' }>, 'kind' | 'url'>) => Promise<boolean>;
  readonly openDialog: (dialog: 'scale' | 'reports') => void;
  readonly onFailure: (failure: ApiFailure) => void;
  readonly urlOf: (content: Blob) => string;
  readonly forgetUrl: (url: string) => void;
}

export interface BenchOptions extends WarehouseCalls {
  readonly expected: ExpectedParcels;
  readonly queue: ReportQueue;
  readonly newId: () => string;
  readonly page: BenchPage;
}

/** Runs the bench: passes each action to the pure step, and executes the effects. */
export class BenchRunner {
  readonly #options: BenchOptions;
  readonly #listeners = new Set<() => void>();
  /** Contents of photos that no report holds yet. */
  readonly #photos = new Map<string, Blob>();
  #bench: Bench = emptyBench;
  #recent: readonly RecentReport[] = [];
  /** Forecast that is being read because the list shows a correction. */
  #following: string | undefined;

  constructor(options: BenchOptions) {
    this.#options = options;
  }

  get bench(): Bench {
    return this.#bench;
  }

  get recent(): readonly RecentReport[] {
    return this.#recent;
  }

  /** Calls `listener` after each change. @returns what ends it */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispatch(action: Action): void {
    const full = loadOf(this.#options.queue.reports).level === 'full';
    const { bench, effects } = step({ ...this.#bench, full }, action);
    this.#bench = bench;
    this.#notify();
    for (const effect of effects) this.#do(effect);
  }

  warned(warnings: readonly ReportWarning[]): void {
    this.#recent = withWarnings(this.#recent, warnings);
    this.#notify();
  }

  /** Reads which carriers connections name. Until then the bench offers none, and asks of more codes whether they are right. */
  learnCarriers(read: () => Promise<WarehouseCarriers>): void {
    void this.#known(read()).then((found) => found && this.dispatch({ type: 'carriers', carriers: found.carriers }));
  }

  /** The list has been read: is the parcel on the bench still as it was? */
  listChanged(): void {
    const { flow } = this.#bench;
    const forecastNo = flow.at === 'parcel' ? flow.subject.forecast?.forecast_no : undefined;
    const version = forecastNo === undefined ? undefined : this.#options.expected.versionOf(forecastNo);
    if (forecastNo === undefined || version === undefined || this.#following === forecastNo) return;
    this.dispatch({ type: 'listed', forecastNo, version });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #do(effect: Effect): void {
    const { page } = this.#options;
    switch (effect.do) {
      case 'lookup':
        void this.#lookUp(effect.scan);
        break;
      case 'open':
        void this.#open(effect.scan, effect.candidate);
        break;
      case 'report':
        void this.#keep(effect.title, [effect]).then((kept) => kept || this.dispatch({ type: 'not-kept' }));
        break;
      case 'save':
        void this.#keep(effect.title, effect.drafts).then((kept) => this.dispatch({ type: kept ? 'kept' : 'not-kept' }));
        break;
      case 'unclaimed':
        void unclaimedResponse(this.#options, effect.ask).then((response) =>
          this.dispatch({ type: 'unclaimed', ask: effect.ask, response }),
        );
        break;
      case 'read':
        void this.#readAgain(effect);
        break;
      case 'resolved':
        this.#recent = withResolved(this.#recent, effect);
        this.#notify();
        break;
      case 'print':
        void this.#print(effect);
        break;
      case 'photo':
        void this.#takePhotos(effect.from === 'camera' ? page.takePhoto : page.pickFiles);
        break;
      case 'drop-photos':
        this.#forget(effect.photos);
        break;
      default:
        page.openDialog(effect.do);
    }
  }

  async #lookUp(scan: string): Promise<void> {
    const { lookUp, expected, page } = this.#options;
    try {
      this.dispatch({ type: 'looked-up', scan, ...(await lookUpScan(lookUp, expected, scan)) });
    } catch (error) {
      page.onFailure(asFailure(error));
      this.dispatch({ type: 'lookup-failed', scan });
    }
  }

  async #open(scan: string, candidate: Candidate): Promise<void> {
    const detail = await this.#known(this.#options.read(candidate.forecast.forecast_no));
    this.dispatch({ type: 'opened', scan, candidate, ...(detail === undefined ? {} : { detail }) });
  }

  async #readAgain({ forecastNo, why }: Extract<Effect, { do: 'read' }>): Promise<void> {
    if (why === 'corrected') this.#following = forecastNo;
    const detail = await this.#known(this.#options.readAgain(forecastNo));
    if (why === 'corrected') this.#following = undefined;
    this.dispatch({ type: 'read-again', forecastNo, why, ...(detail === undefined ? {} : { detail }) });
  }

  /** What was read; undefined when the platform could not be asked. */
  #known<T>(reading: Promise<T>): Promise<T | undefined> {
    return reading.catch((error: unknown) => {
      const failure = asFailure(error);
      if (afterFailure(failure) !== 'retry') this.#options.page.onFailure(failure);
      return undefined;
    });
  }

  async #print({ kind, url, forecastNo, version, unseen }: Extract<Effect, { do: 'print' }>): Promise<void> {
    if (await this.#options.page.print({ kind, url })) this.dispatch({ type: 'printed', document: { forecastNo, kind, version }, unseen });
  }

  /** Keeps reports on the device. @returns false when it has no room */
  async #keep(title: string, saved: readonly Saved[]): Promise<boolean> {
    const photosOf = (photos: readonly BenchPhoto[]): AddedReport['photos'] =>
      photos.flatMap(({ id }) => {
        const content = this.#photos.get(id);
        return content === undefined ? [] : [{ id, content }];
      });
    const added = saved.map(({ draft, photos }): AddedReport => ({ title, draft, photos: photosOf(photos) }));
    try {
      const ids = await this.#options.queue.add(...added);
      const made = saved.map(({ draft, photos }, index) => ({
        eventId: ids[index] ?? '',
        title,
        type: nameOf(draft),
        measured: measuredOf(draft),
        photos: photos.length,
      }));
      this.#recent = withNew(this.#recent, made);
    } catch (error) {
      if (!(error instanceof QueueFull || error instanceof DOMException)) throw error;
      // The device has no room: the bench keeps what was entered and says so.
      return false;
    }
    this.#forget(saved.flatMap(({ photos }) => photos));
    this.#notify();
    return true;
  }

  async #takePhotos(take: () => Promise<readonly Blob[]>): Promise<void> {
    const { newId, page } = this.#options;
    for (const content of await take()) {
      const photo = { id: newId(), url: page.urlOf(content) };
      this.#photos.set(photo.id, content);
      this.dispatch({ type: 'photo', photo });
    }
  }

  #forget(photos: readonly BenchPhoto[]): void {
    for (const { id, url } of photos) {
      this.#photos.delete(id);
      this.#options.page.forgetUrl(url);
    }
  }
}
