import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import type { EventKey } from '../expected/domain/event.ts';
import { MAX_REJECTIONS, type Rejection } from './domain/event-outcome.ts';
import { rejections } from './report-collections.ts';

/** Slot of the document that counts. */
const COUNT = -1;

/** Remembers rejected reports: of each warehouse the newest {@link MAX_REJECTIONS}. */
export type Rejections = ReturnType<typeof createRejections>;

/** Keeps rejected reports, of each warehouse in a ring. @param most of a warehouse */
export function createRejections(store: Store, most = MAX_REJECTIONS) {
  const remember = (warehouseCode: string, rejected: readonly Rejection[], at: number): Promise<void> =>
    decideTogether(store, `rejections ${warehouseCode}`, async () => {
      const last = (await store.get(rejections, [warehouseCode, COUNT]))?.value.number ?? 0;
      // Of more than the ring has, the newest.
      const kept = rejected.slice(-most);
      const number = last + rejected.length;
      const documents = kept.map((rejection, place) => {
        const own = number - kept.length + 1 + place;
        const { eventId } = rejection;
        return { warehouseCode, slot: own % most, number: own, eventId, at, rejection: JSON.stringify(rejection) };
      });
      const all = [{ warehouseCode, slot: COUNT, number }, ...documents];
      const found = await store.read(
        rejections,
        all.map(({ slot }) => [warehouseCode, slot]),
      );
      const stored = new Map(found.map((one) => [one.value.slot, one]));
      return all.map((value): Write => {
        const before = stored.get(value.slot);
        const { warehouseCode: _, slot: __, ...set } = value;
        return before ? ({ in: rejections, patch: before, set } as Write) : { in: rejections, insert: value };
      });
    });
  return {
    /** In one step for all of a warehouse. @param rejected of one call, at least one */
    async remember(rejected: readonly Rejection[], at: number): Promise<void> {
      for (const warehouseCode of new Set(rejected.map((rejection) => rejection.warehouseCode)))
        await remember(
          warehouseCode,
          rejected.filter((rejection) => rejection.warehouseCode === warehouseCode),
          at,
        );
    },
    /** The newest of the id, with the instant at which it came in. */
    async rejectionOf({ warehouseCode, eventId }: EventKey): Promise<(Rejection & { readonly at: number }) | undefined> {
      const { items } = await store.find(rejections.by.event, { eq: [warehouseCode, eventId], limit: 1 });
      const { rejection, at = 0 } = items[0]?.value ?? {};
      return rejection === undefined ? undefined : { ...(JSON.parse(rejection) as Rejection), at };
    },
  };
}
