import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { AMOUNTS_KEPT_PER_DAY, type UsageOfDay, type UsageStore } from '@parcelway/kernel/usage-counter';
import Type, { type Static } from 'typebox';
import { collection } from '../collection.ts';
import type { Store, Write } from '../store.ts';
import { tenantKind } from './tenant-kind.ts';

const numbers = Type.Record(Type.String(), Type.Number());

const schema = Type.Object(
  { tenantId: Type.String(), day: Type.String(), amounts: numbers, batches: numbers },
  { additionalProperties: false },
);

type Day = Static<typeof schema>;

const declaration = {
  key: ['tenantId', 'day'],
  // Over all tenants: what is too old is deleted by the platform itself.
  lists: { days: ['tenantId'], age: ['day'] },
  tenant: 'tenantId',
  shard: 'tenantId',
} as const;

/** What tenants use in a day, of one service. */
export const usageDays = collection('usage_days', schema, { ...declaration, describe: 'What a tenant has used in a day' });

/** What became of deliveries to the endpoints of tenants in a day. */
export const deliveryDays = collection('delivery_days', schema, { ...declaration, describe: 'Deliveries to endpoints in a day' });

/** Documents of one call. */
const AT_ONCE = 500;
/** Counters of which a day remembers the last batch. */
const BATCHES_KEPT = 50;

/** Adds amounts; where as many names are kept as may be, no name joins them. */
function withAdded(kept: Day['amounts'], added: UsageOfDay['amounts']): Day['amounts'] {
  const amounts = { ...kept };
  let count = Object.keys(amounts).length;
  for (const [name, amount] of Object.entries(added)) {
    if (amounts[name] === undefined) {
      if (count >= AMOUNTS_KEPT_PER_DAY) continue;
      count += 1;
    }
    amounts[name] = (amounts[name] ?? 0) + amount;
  }
  return amounts;
}

/** Keeps what tenants use. @param days a collection of the store */
export function createUsageStore(store: Store, days: typeof usageDays = usageDays): UsageStore {
  /** Changes days, makes those that are not there; `decide` returns undefined for one that is as it should be. */
  const change = async (
    records: readonly UsageOfDay[],
    decide: (day: Day, record: UsageOfDay) => Partial<Day> | undefined,
  ): Promise<void> => {
    let left = records;
    while (left.length > 0) {
      const keys = left.map(({ tenantId, day }) => [tenantId, day]);
      const asked = left;
      const { outcomes } = await store.change([{ in: days, keys }], (known) => {
        const writes = asked.map((record): Write<Day> | undefined => {
          const { tenantId, day } = record;
          const stored = known.get(days, [tenantId, day]);
          const set = decide(stored?.value ?? { tenantId, day, amounts: {}, batches: {} }, record);
          if (set === undefined) return undefined;
          return stored === undefined
            ? { in: days, insert: { tenantId, day, amounts: {}, batches: {}, ...set } }
            : { in: days, patch: stored, set };
        });
        return { writes: writes.filter((write) => write !== undefined) as readonly Write[], result: undefined };
      });
      // Another process has made the day at the same moment.
      left = outcomes.some(({ kind }) => kind === 'taken') ? asked : [];
    }
  };
  return {
    async add({ counter, number, records }) {
      for (let first = 0; first < records.length; first += AT_ONCE) {
        await change(records.slice(first, first + AT_ONCE), ({ amounts, batches }, record) => {
          if ((batches[counter] ?? 0) >= number) return undefined;
          const { [counter]: _last, ...others } = batches;
          const kept = Object.entries(others).slice(-BATCHES_KEPT + 1);
          return { amounts: withAdded(amounts, record.amounts), batches: Object.fromEntries([...kept, [counter, number]]) };
        });
      }
    },
    set: (measured) => change([measured], ({ amounts }) => ({ amounts: { ...amounts, ...measured.amounts } })),
    async days(tenantId, from, to, prefix = '') {
      const { items } = await store.find(days.by.days, { eq: [tenantId], from, to: `${to}~`, limit: 1000 });
      return items.map(({ value: { day, amounts } }) => ({
        tenantId,
        day,
        amounts: prefix === '' ? amounts : Object.fromEntries(Object.entries(amounts).filter(([name]) => name.startsWith(prefix))),
      }));
    },
    deleteBefore: (day, limit) => store.deleteRange(days.by.age, { eq: [], to: day, limit }),
  };
}

/** What was counted of a tenant in each day, as a kind of its data. @param name of the kind */
export function usageKind(store: Store, name = 'usage', days: typeof usageDays = usageDays): TenantDataKind {
  return tenantKind(store, { by: days.by.days, name, record: ({ day, amounts }) => ({ day, amounts }) });
}
