import type { Clock } from '@parcelway/kernel/clock';
import type { Store } from '@parcelway/store/store';
import { type Directory, listedIn } from '../expected/directory-store.ts';
import type { EventKey, IntakeEvent } from '../expected/domain/event.ts';
import type { UnclaimedReason } from '../expected/domain/match.ts';
import { matchBatch } from '../expected/domain/match-batch.ts';
import { isHeldBy, type ReportKind } from '../expected/domain/parcel-reports.ts';
import type { Resolution } from '../expected/domain/resolution.ts';
import type { AppliedReports, LatestReports, ReportedForecast, ReportLimits } from '../expected/read-view.ts';
import { candidatesOf } from './domain/event-outcome.ts';
import type { UnclaimedParcel } from './intake-store.ts';
import { events, resolutions } from './report-collections.ts';
import { resolutionOf } from './resolution-store.ts';
import { eventIn, keyOf, type StoredEvent } from './waiting-events.ts';

/** At most this many reports of several forecasts are read together. If there are more, each forecast and kind is read by itself. */
const MAX_TOGETHER = 500;
/** At most this many holds of the dispatches of a call are looked at together. */
const MAX_HOLDS = 1000;

const forecastKey = ({ warehouseCode, forecastNo }: ReportedForecast): string => `${warehouseCode} ${forecastNo}`;

/** An event that waits at a warehouse, with what it may be for. */
export interface WaitingEvent extends UnclaimedParcel {
  /** Numbers of forecasts of the warehouse, when it is ambiguous. */
  readonly candidates: readonly string[];
}

/** Which events that wait at a warehouse. */
export interface WaitingQuery {
  readonly warehouseCode: string;
  /** At least one. */
  readonly reasons: readonly UnclaimedReason[];
  /** Where the page before ended. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** What is known of a stored event. */
export interface StoredOutcome {
  readonly event: IntakeEvent;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Null once it was applied or dismissed. */
  readonly waiting: UnclaimedReason | null;
  readonly candidates: readonly string[];
  /** Null while it waits, and once it is dismissed. */
  readonly forecastNo: string | null;
  readonly isDismissed: boolean;
  readonly resolution: Resolution | undefined;
}

export type EventOutcomes = ReturnType<typeof createEventOutcomes>;

/** Shows what became of events. */
export function createEventOutcomes(store: Store, directory: Directory, clock: Clock) {
  /** Of ambiguous events, the forecasts that each may be for. */
  const candidatesIn = async (ambiguous: readonly IntakeEvent[]): Promise<(event: IntakeEvent) => readonly string[]> => {
    // A crowd under one number of a warehouse has the same candidates, which may be many.
    const numberOf = (event: IntakeEvent): string => `${event.warehouseCode} ${event.scannedNumber}`;
    const firsts = new Map(ambiguous.map((event) => [numberOf(event), event]));
    const listed = firsts.size === 0 ? [] : listedIn(await directory.lookUp([...firsts.values()].map((event) => ({ event }))));
    const candidates = new Map<string, readonly string[]>();
    for (const [number, event] of firsts) {
      // Each by itself: what one of them would change does not count for the next.
      const [match] = matchBatch([{ event }], listed, clock.now()).matches;
      candidates.set(number, match === undefined ? [] : candidatesOf(match));
    }
    return (event) => candidates.get(numberOf(event)) ?? [];
  };
  return {
    /** The oldest events that wait at a warehouse, and where the next page begins. */
    async waitingAt({
      warehouseCode,
      reasons,
      after,
      limit,
    }: WaitingQuery): Promise<{ readonly events: readonly WaitingEvent[]; readonly next: string | null }> {
      const { items, next } = await store.find(events.by.reason_at, { eq: [warehouseCode, reasons], limit, ...(after && { after }) });
      const found = items.map((stored) => ({ stored, event: eventIn(stored), isAmbiguous: stored.value.waiting === 'ambiguous' }));
      const candidates = await candidatesIn(found.flatMap(({ event, isAmbiguous }) => (isAmbiguous ? [event] : [])));
      const shown = found.map(({ stored: { value }, event, isAmbiguous }) => ({
        event,
        type: event.detail.type,
        reason: value.waiting as UnclaimedReason,
        receivedAt: value.receivedAt,
        candidates: isAmbiguous ? candidates(event) : [],
      }));
      return { events: shown, next };
    },

    async outcomeOf(key: EventKey): Promise<StoredOutcome | undefined> {
      const stored = await store.get(events, keyOf(key));
      if (stored === undefined) return undefined;
      const { waiting, publishedTo, resolution, receivedAt, warehouseCode } = stored.value;
      const event = eventIn(stored);
      const found = resolution && waiting === undefined ? await store.get(resolutions, [warehouseCode, resolution]) : undefined;
      return {
        event,
        receivedAt,
        waiting: (waiting as UnclaimedReason | undefined) ?? null,
        candidates: waiting === 'ambiguous' ? (await candidatesIn([event]))(event) : [],
        forecastNo: publishedTo ?? null,
        isDismissed: waiting === undefined && publishedTo === undefined,
        resolution: found && resolutionOf(found.value),
      };
    },
  };
}

/** A dispatch of a parcel on hold. */
export interface DispatchOnHold extends EventKey {
  readonly forecastNo: string;
  /** When the hold began: ISO 8601, as the warehouse wrote it. */
  readonly heldAt: string;
}

/** Reads applied reports. */
export function createAppliedReports(
  store: Store,
): AppliedReports & { dispatchedOnHold(keys: readonly EventKey[]): Promise<readonly DispatchOnHold[]> } {
  const latest = async ({ warehouseCode, forecastNo }: ReportedForecast, kind: ReportKind, limit: number, until?: number) => {
    const to = until === undefined ? {} : { to: until + 1 };
    return (await store.find(events.by.applied, { eq: [warehouseCode, kind, forecastNo], limit, ...to })).items.map(eventIn);
  };
  const eachOf = (forecast: ReportedForecast, limits: readonly (readonly [ReportKind, number])[]): Promise<LatestReports> =>
    Promise.all(limits.map(async ([kind, limit]) => [kind, await latest(forecast, kind, limit)] as const)).then(Object.fromEntries);

  /** The dispatches that are applied, with where and when. */
  const dispatchesAmong = async (keys: readonly EventKey[]) =>
    (await store.read(events, keys.map(keyOf))).flatMap((stored) => {
      const { publishedTo: forecastNo, warehouseCode, eventId, occurredAt } = stored.value;
      return forecastNo === undefined || eventIn(stored).detail.type !== 'dispatch'
        ? []
        : [{ warehouseCode, eventId, forecastNo, occurredAt }];
    });

  return {
    async latestOf(forecasts: readonly ReportedForecast[], limits: ReportLimits) {
      if (forecasts.length === 0) return [];
      const wanted = Object.entries(limits) as [ReportKind, number][];
      if (forecasts.length === 1) return [await eachOf(forecasts[0] as ReportedForecast, wanted)];
      const any = forecasts.map(({ forecastNo }) => forecastNo);
      const { items } = await store.find(events.by.forecast, { eq: [], any, limit: MAX_TOGETHER + 1 });
      if (items.length > MAX_TOGETHER) return Promise.all(forecasts.map((forecast) => eachOf(forecast, wanted)));
      const byLatest = ({ value: a }: StoredEvent, { value: b }: StoredEvent) => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1);
      const sorted = items.toSorted(byLatest);
      return forecasts.map((forecast) => {
        const own = sorted.filter(
          ({ value }) => forecastKey(forecast) === forecastKey({ warehouseCode: value.warehouseCode, forecastNo: value.publishedTo ?? '' }),
        );
        return Object.fromEntries(
          wanted.map(([kind, limit]) => [
            kind,
            own
              .filter(({ value }) => value.kind === kind)
              .slice(0, limit)
              .map(eventIn),
          ]),
        );
      });
    },

    /** Those of the events that are applied dispatches of parcels which the warehouse held back, by its own reports, when they left. */
    async dispatchedOnHold(keys) {
      const dispatches = await dispatchesAmong(keys);
      const held = new Set<string>();
      for (const warehouseCode of new Set(dispatches.map((one) => one.warehouseCode))) {
        const any = [...new Set(dispatches.filter((one) => one.warehouseCode === warehouseCode).map(({ forecastNo }) => forecastNo))];
        // Few parcels are held back: of the others nothing more is read.
        const { items } = await store.find(events.by.applied, { eq: [warehouseCode, 'hold'], any, limit: MAX_HOLDS });
        const found = items.length < MAX_HOLDS ? items.map(({ value }) => value.publishedTo ?? '') : any;
        for (const forecastNo of found) held.add(forecastKey({ warehouseCode, forecastNo }));
      }
      const looked = dispatches.filter((one) => held.has(forecastKey(one)));
      const found = await Promise.all(
        looked.map(async (dispatch): Promise<DispatchOnHold[]> => {
          const { warehouseCode, eventId, forecastNo, occurredAt } = dispatch;
          const [[hold], [release]] = await Promise.all([
            latest(dispatch, 'hold', 1, occurredAt),
            latest(dispatch, 'release', 1, occurredAt),
          ]);
          return isHeldBy(hold, release) ? [{ warehouseCode, eventId, forecastNo, heldAt: hold.occurredAt }] : [];
        }),
      );
      return found.flat();
    },
  };
}
