import { AMOUNTS_KEPT_PER_DAY, USAGE_KEPT_DAYS, type UsageOfDay, type UsageStore } from '@parcelway/kernel/usage-counter';
import Type, { type Static } from 'typebox';
import { collection, type Index } from '../collection.ts';
import type { Store } from '../store.ts';
import { upsert } from '../upsert.ts';

const numbers = Type.Record(Type.String(), Type.Number());

const schema = Type.Object(
  { tenantId: Type.String(), day: Type.String(), part: Type.String(), amounts: numbers, batches: numbers },
  { additionalProperties: false },
);

type Day = Static<typeof schema>;

const declaration = {
  // Names such as `ep_1:failed` are in the part `ep_1`, so that nobody reads those of other endpoints; names without a colon are in the part ''.
  key: ['tenantId', 'day', 'part'],
  // Over all tenants: what is too old is deleted by the platform itself.
  lists: { days: ['tenantId'], parts: ['tenantId', 'part'], age: ['day'] },
  tenant: 'tenantId',
  shard: 'tenantId',
  ends: [{ by: 'age', keptMs: USAGE_KEPT_DAYS * 86_400_000 }],
  copy: { name: 'usage', record: ({ day, amounts }: Day) => ({ day, amounts }) },
} as const;

/** What tenants use in a day, of one service. */
export const usageDays = collection('usage_days', schema, { ...declaration, describe: 'What a tenant has used in a day' });

/** What became of deliveries to the endpoints of tenants in a day. */
export const deliveryDays = collection('delivery_days', schema, {
  ...declaration,
  describe: 'Deliveries to endpoints in a day',
  copy: { ...declaration.copy, name: 'delivery_figures' },
});

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

/** What of a day is in one document. */
interface PartOfDay extends UsageOfDay {
  readonly part: string;
}

const partOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');

function partsOf({ tenantId, day, amounts }: UsageOfDay): readonly PartOfDay[] {
  const parts = new Map<string, Record<string, number>>();
  for (const [name, amount] of Object.entries(amounts)) {
    const some = parts.get(partOf(name)) ?? {};
    some[name] = amount;
    parts.set(partOf(name), some);
  }
  return [...parts].map(([part, some]) => ({ tenantId, day, part, amounts: some }));
}

/** Keeps what tenants use. @param days a collection of the store */
export function createUsageStore(store: Store, days: typeof usageDays = usageDays): UsageStore {
  /** Changes days, makes those that are not there; `decide` returns undefined for one that is as it should be. */
  const change = async (asked: readonly PartOfDay[], decide: (day: Day, record: PartOfDay) => Partial<Day> | undefined): Promise<void> => {
    const keys = asked.map(({ tenantId, day, part }) => [tenantId, day, part]);
    await upsert(store, days, keys, (stored, place) => {
      const record = asked[place] as PartOfDay;
      const before = stored ?? { ...record, amounts: {}, batches: {} };
      const set = decide(before, record);
      return set && { ...before, ...set };
    });
  };
  /** All parts of days, in the order of the days. */
  const read = async (by: Index<Day>, eq: readonly string[], range: { readonly from: string; readonly to: string }): Promise<Day[]> => {
    const found: Day[] = [];
    let after: string | null | undefined;
    do {
      const page = await store.find(by, { eq, ...range, limit: AT_ONCE, ...(after && { after }) });
      found.push(...page.items.map(({ value }) => value));
      after = page.next;
    } while (after !== null);
    return found;
  };
  return {
    async add({ counter, number, records }) {
      const parts = records.flatMap(partsOf);
      for (let first = 0; first < parts.length; first += AT_ONCE) {
        await change(parts.slice(first, first + AT_ONCE), ({ amounts, batches }, record) => {
          if ((batches[counter] ?? 0) >= number) return undefined;
          const { [counter]: _last, ...others } = batches;
          const kept = Object.entries(others).slice(-BATCHES_KEPT + 1);
          return { amounts: withAdded(amounts, record.amounts), batches: Object.fromEntries([...kept, [counter, number]]) };
        });
      }
    },
    set: (measured) => change(partsOf(measured), ({ amounts }, record) => ({ amounts: { ...amounts, ...record.amounts } })),
    async days(tenantId, from, to, prefix = '') {
      const range = { from, to: `${to}~` };
      const part = partOf(prefix);
      const found = part === '' ? await read(days.by.days, [tenantId], range) : await read(days.by.parts, [tenantId, part], range);
      const byDay = new Map<string, Record<string, number>>();
      for (const { day, amounts } of found) {
        const own = Object.entries(amounts).filter(([name]) => name.startsWith(prefix));
        byDay.set(day, { ...byDay.get(day), ...Object.fromEntries(own) });
      }
      return [...byDay].map(([day, amounts]) => ({ tenantId, day, amounts }));
    },
  };
}
