import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { Index } from '../collection.ts';
import type { Store, Stored, Write } from '../store.ts';

/** Documents that one step reads or deletes. */
const TENANT_BATCH = 100;

/** How a collection is a kind of a tenant's data. */
export interface TenantKindOptions<T extends object> {
  /** A list whose first fields are the tenant, and `within`. */
  readonly by: Index<T>;
  /** Default: the name of the collection. */
  readonly name?: string;
  /** Values of the fields behind the tenant. */
  readonly within?: readonly (string | number)[];
  /** What the tenant receives of a document; null when nothing is to be received. Default: all but the tenant's id, in snake case; null for what it lacks. */
  readonly record?: ((value: T) => Readonly<Record<string, unknown>>) | null;
  /** Heavy fields that `record` reads. */
  readonly with?: readonly string[];
  /** Deletes what lies elsewhere, before the documents are deleted. */
  readonly before?: (tenantId: string, values: readonly T[]) => Promise<void>;
  /** Documents that one step reads or deletes; default {@link TENANT_BATCH}. */
  readonly batch?: number;
  /** True when another kind deletes the documents. */
  readonly isCopy?: boolean;
}

/** The documents of a collection as a kind of a tenant's data: listed for a copy, and erased. */
export function tenantKind<T extends object>(store: Store, options: TenantKindOptions<T>): TenantDataKind {
  const { by, name = by.collection.name, within = [], record, with: heavy = [], before, batch = TENANT_BATCH, isCopy = false } = options;
  const { tenant } = by.collection;
  // A copy begins with the oldest.
  const backwards = by.fields[1 + within.length]?.falls ?? false;
  const page = (tenantId: string, after: string | null) =>
    store.find(by, {
      eq: [tenantId, ...within],
      ...(after !== null && { after }),
      limit: batch,
      backwards,
      with: heavy as readonly never[],
    });
  const fields = Object.keys(by.collection.schema.properties).filter((field) => field !== tenant);
  const whole = (value: T) => Object.fromEntries(fields.map((field) => [snakeCase(field), value[field as keyof T] ?? null]));
  const shown = (value: T): Readonly<Record<string, unknown>> => (record ? record(value) : whole(value));
  return {
    name,
    ...(record !== null && {
      async list(tenantId: string, after: string | null) {
        const { items } = await page(tenantId, after);
        return items.map((stored) => ({ cursor: store.placeIn(by, 1 + within.length, stored), record: shown(stored.value) }));
      },
    }),
    ...(!isCopy && {
      async erase(tenantId: string) {
        const { items } = await page(tenantId, null);
        await before?.(
          tenantId,
          items.map(({ value }) => value),
        );
        await store.apply(items.map((stored: Stored): Write => ({ in: by.collection, delete: stored })));
        // One that has changed meanwhile is still there: the next step finds it.
        return items.length;
      },
    }),
  };
}

const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
