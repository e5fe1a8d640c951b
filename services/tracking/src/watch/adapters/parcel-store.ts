import { encodeEvent } from '@parcelway/contracts/encode-event';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { ApplyOptions, Store, Stored, Write } from '@parcelway/store/store';
import type { Decision, ParcelWrite } from '../domain/decide.ts';
import { firstParcel, keyOf, keyText } from '../domain/parcel-key.ts';
import { type ParcelDocument, parcels } from '../parcels-collection.ts';
import type { ParcelQuery, ParcelStore } from '../ports.ts';
import { changeOf, documentKey, newDocument, parcelKeyOf, parcelOf } from './parcel-documents.ts';

/** What is stored of parcels, by keyText. */
type Known = ReadonlyMap<string, Stored<ParcelDocument>>;

/**
 * Parcels, for any number of processes: one read and one write for a batch.
 *
 * Crashes and races: nodes, published status and event are one write of one document, onto the version that they were decided on. So a crash leaves whole
 * parcels: what is not written comes again with the event or the next poll. When a write of a batch loses a race, the whole batch is read and decided
 * again: what the others have written, and what this process has written already, changes nothing then.
 */
export function createParcelStore(store: Store): ParcelStore {
  const read = async (queries: readonly ParcelQuery[]): Promise<Known> => {
    const heavy = queries.some(({ withHistory }) => withHistory) ? (['nodes'] as const) : [];
    const found = await store.read(parcels, queries.map(documentKey), { with: heavy });
    return new Map(found.map((stored) => [keyText(parcelKeyOf(stored.value)), stored]));
  };

  /** @returns those that were made */
  const write = async (known: Known, writes: readonly ParcelWrite[], options: ApplyOptions): Promise<readonly ParcelWrite[]> => {
    const outcomes = await store.apply(
      writes.map((one) => writeOf(known, one)),
      options,
    );
    return writes.filter((_write, place) => outcomes[place]?.kind === 'written');
  };

  return {
    change(queries, decide) {
      const made: ParcelWrite[] = [];
      return untilWritten(async (): Promise<Decision | undefined> => {
        const known = await read(queries);
        const decision = decide((key) => {
          const stored = known.get(keyText(key));
          return stored && parcelOf(stored.value);
        });
        const { alone, together } = grouped(decision.writes);
        const groups = [write(known, alone, {}), ...together.map((group) => write(known, group, { together: true }))];
        const written = (await Promise.all(groups)).flat();
        made.push(...written);
        return written.length === decision.writes.length ? { ...decision, writes: made } : undefined;
      });
    },
  };
}

function writeOf(known: Known, write: ParcelWrite): Write {
  const messages = write.messages.map(encodeEvent);
  const stored = known.get(keyText(keyOf(write.after)));
  if (stored === undefined) return { in: parcels, insert: newDocument(write), messages };
  return { in: parcels, patch: stored, set: changeOf(write, stored.value), messages };
}

/** A further parcel and the forecast that lists it are written together, so that one that is listed is there. */
function grouped(writes: readonly ParcelWrite[]) {
  const forecastOf = ({ after }: ParcelWrite): string => keyText(firstParcel(after.forecast));
  const isNewFurther = ({ before, after }: ParcelWrite): boolean => before === undefined && keyOf(after).furtherNumber !== null;
  const together = new Map(writes.filter(isNewFurther).map((write): [string, ParcelWrite[]] => [forecastOf(write), []]));
  const alone = writes.filter((write) => together.get(forecastOf(write))?.push(write) === undefined);
  return { alone, together: [...together.values()] };
}
