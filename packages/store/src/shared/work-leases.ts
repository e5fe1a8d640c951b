import { randomUUID } from 'node:crypto';
import { MAX_CLOCK_LEAD_MS, type WorkLease } from '@parcelway/kernel/work-lease';
import Type from 'typebox';
import { collection } from '../collection.ts';
import type { Store } from '../store.ts';
import { upsert } from '../upsert.ts';

/** How far the regular works of a service have come, and who does them. */
export const workLeases = collection(
  'work_leases',
  Type.Object({ name: Type.String(), owner: Type.String(), dueAt: Type.Integer(), place: Type.String() }, { additionalProperties: false }),
  {
    describe: 'How far a regular work has come, and which process does it',
    key: ['name'],
    tenant: { none: 'work of the platform' },
    shard: { unsharded: 'one small document for each regular work' },
    ends: 'never',
  },
);

type Lease = NonNullable<(typeof workLeases)['document']>;

const NOBODY = '';
const newLease = (name: string): Lease => ({ name, owner: NOBODY, dueAt: 0, place: '' });

/** Regular work that processes share over one store. @param name of the work */
export function createWorkLease(store: Store, name: string): WorkLease {
  const own = randomUUID();
  const change = async (decide: (lease: Lease) => Partial<Lease> | undefined): Promise<Lease | undefined> => {
    const [lease] = await upsert(store, workLeases, [[name]], (before = newLease(name)) => {
      const set = decide(before);
      return set && { ...before, ...set };
    });
    return lease;
  };
  return {
    async take(now, until, latest) {
      const taken = await change(({ owner, dueAt }) => {
        const isPaused = owner === NOBODY && dueAt > latest;
        // Only of work that a process has: work that is given back may be due as late.
        const isAhead = owner !== NOBODY && dueAt > until + MAX_CLOCK_LEAD_MS;
        return dueAt <= now || isPaused || isAhead ? { owner: own, dueAt: until } : undefined;
      });
      return taken?.place;
    },
    async keep(place, until) {
      return (await change(({ owner }) => (owner === own ? { place, dueAt: until } : undefined))) !== undefined;
    },
    async giveBack(place, dueAt) {
      await change(({ owner }) => (owner === own ? { place, dueAt, owner: NOBODY } : undefined));
    },
  };
}

/**
 * Regular work of a process that has its store to itself. Only the place is stored; when the work is due is in memory, as with the process its lease ends:
 * whoever opens the store next does the work at once, and work that is at rest writes nothing.
 */
export function createLoneWorkLease(store: Store, name: string): WorkLease {
  let dueAt = 0;
  let isHeld = false;
  let known: string | undefined;
  const placeOf = async (): Promise<string> => (known ??= (await store.get(workLeases, [name]))?.value.place ?? '');
  const keep = async (place: string, until: number): Promise<boolean> => {
    if (place !== (await placeOf())) {
      await upsert(store, workLeases, [[name]], (before = newLease(name)) => ({ ...before, place }));
      known = place;
    }
    dueAt = until;
    return true;
  };
  return {
    async take(now, until, latest) {
      const isPaused = !isHeld && dueAt > latest;
      const isAhead = isHeld && dueAt > until + MAX_CLOCK_LEAD_MS;
      if (dueAt > now && !isPaused && !isAhead) return undefined;
      dueAt = until;
      isHeld = true;
      return placeOf();
    },
    keep,
    async giveBack(place, later) {
      await keep(place, later);
      isHeld = false;
    },
  };
}
