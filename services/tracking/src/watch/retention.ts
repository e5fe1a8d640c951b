import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Page, Store, Stored, Write } from '@parcelway/store/store';
import { keyText, type Parcel, parcelKey, type Shipment } from './domain/shipment.ts';
import { changeOf, documentKey, type ParcelDocument, parcels, simulatedParcels } from './parcels-collection.ts';

/**
 * What changes of a forecast's document once some of its parcels are deleted.
 * @returns undefined when none is left: the forecast goes with the last of them
 */
function withoutParcels(first: ParcelDocument, gone: readonly string[]): Partial<ParcelDocument> | undefined {
  const furtherNumbers = first.furtherNumbers.filter((number) => !gone.includes(number));
  const { shipment, nodes: _nodes, ...forecast } = first;
  if (shipment !== undefined && !gone.includes('')) return changeOf({ after: { ...first, furtherNumbers } }, first);
  if (furtherNumbers.length === 0) return undefined;
  return {
    ...changeOf({ after: { ...forecast, furtherNumbers } }, first),
    shipment: undefined,
    nodes: undefined,
  } as Partial<ParcelDocument>;
}

/** A parcel that has ended before any time. */
const aged = ({ shipment, ...parcel }: Parcel): Parcel => ({
  ...parcel,
  ...(shipment && { shipment: { ...shipment, nextPollAt: null, lastChangeAt: 0 } }),
});

/** Names a forecast. */
export type ForecastName = Pick<Shipment, 'tenantId' | 'forecastNo'>;

/** A parcel as it was found. */
export type StoredParcel = Stored<ParcelDocument>;

const forecastText = ({ value }: StoredParcel): string => keyText(parcelKey(value));
const isFirst = ({ value }: StoredParcel): boolean => value.furtherNumber === '';
const deletionOf = (stored: StoredParcel): Write => ({ in: parcels, delete: stored });

/** What deletes parcels of a forecast. @param first undefined when the forecast is gone already */
function deletionsOf(first: StoredParcel | undefined, gone: readonly StoredParcel[]): readonly Write[] {
  const further = gone.filter((stored) => !isFirst(stored)).map(deletionOf);
  if (first === undefined) return further;
  const set = withoutParcels(
    first.value,
    gone.map(({ value }) => value.furtherNumber),
  );
  return [set === undefined ? deletionOf(first) : { in: parcels, patch: first, set }, ...further];
}

/**
 * Ends the keeping of old data. The parcels of a forecast go together, on condition that they have not changed since they were found, so any number of
 * processes may clean up side by side, and one that gets a further parcel meanwhile stays. One whose event waits for its publication stays until that is
 * done, where the event is kept with it.
 */
export function createRetention(store: Store) {
  /** The documents that forecasts are kept in, by their text: those found, and the others of which further parcels were found. */
  const firstsOf = async (found: readonly StoredParcel[]): Promise<ReadonlyMap<string, StoredParcel>> => {
    const firsts = new Map(found.filter(isFirst).map((stored) => [forecastText(stored), stored]));
    const others = found.filter((stored) => !firsts.has(forecastText(stored)));
    const read = await store.read(
      parcels,
      others.map(({ value }) => documentKey(parcelKey(value))),
    );
    return new Map([...firsts, ...read.map((stored): [string, StoredParcel] => [forecastText(stored), stored])]);
  };

  return {
    /**
     * Parcels that are not under watch and have not changed since `before`, those that ended first at the beginning.
     * @param before epoch milliseconds
     * @param after where the page before ended
     */
    ended: (before: number, limit: number, after?: string): Promise<Page<ParcelDocument>> =>
      store.find(parcels.by.ended, { eq: [], to: before, limit, ...(after !== undefined && { after }) }),

    /** Makes all that is known of forecasts older than any time, so that the next clean-up deletes it; watches end. */
    age: (forecasts: readonly ForecastName[]) => ageForecasts(store, forecasts),

    /** Deletes parcels that have not changed since they were found, with all their nodes. @returns how many */
    async deleteEnded(found: readonly StoredParcel[]): Promise<number> {
      const firsts = await firstsOf(found);
      const forecasts = [...new Set(found.map(forecastText))].map((forecast) => {
        const gone = found.filter((stored) => forecastText(stored) === forecast);
        return { gone: gone.length, writes: deletionsOf(firsts.get(forecast), gone) };
      });
      const single = forecasts.flatMap(({ writes }) => (writes.length === 1 ? writes : []));
      const several = forecasts.filter(({ writes }) => writes.length > 1);
      const deleted = (await store.apply(single, { sparesMessages: true })).filter(({ kind }) => kind === 'written').length;
      const counts = several.map(async ({ writes, gone }) => {
        const [outcome] = await store.apply(writes, { sparesMessages: true, together: true });
        return outcome?.kind === 'written' ? gone : 0;
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, deleted);
    },

    /** Deletes at most `limit` parcels of the simulated carrier that have not changed since `before`. @returns how many */
    deleteSimulated: (before: number, limit: number): Promise<number> =>
      store.deleteRange(simulatedParcels.by.age, { eq: [], to: before, limit }),
  };
}

/** Makes all documents of forecasts older than any time. */
async function ageForecasts(store: Store, forecasts: readonly ForecastName[]): Promise<void> {
  await untilWritten(async () => {
    const firsts = await store.read(
      parcels,
      forecasts.map((forecast) => documentKey(parcelKey(forecast))),
    );
    const further = firsts.flatMap(({ value }) => value.furtherNumbers.map((number) => documentKey(parcelKey(value, number))));
    const all = [...firsts, ...(await store.read(parcels, further))];
    const outcomes = await store.apply(
      all.map((stored) => ({ in: parcels, patch: stored, set: changeOf({ after: aged(stored.value) }, stored.value) })),
    );
    return outcomes.every(({ kind }) => kind === 'written') || undefined;
  });
}

/** Deletes old data. */
export type Retention = ReturnType<typeof createRetention>;
