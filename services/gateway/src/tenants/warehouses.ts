import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { nullable } from '@parcelway/contracts/text';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { collection } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import { type Context, eventOf } from './context.ts';

/** Warehouses. Forecasts may name one until it is closed. The version of a document is that of its latest event. */
export const warehouses = collection(
  'warehouses',
  Type.Object(
    { code: Type.String(), name: Type.String(), createdAt: Type.Integer(), closedAt: nullable(Type.Integer()) },
    { additionalProperties: false },
  ),
  {
    describe: 'Warehouses',
    key: ['code'],
    lists: { code: ['code'] },
    hasMessages: true,
    tenant: { none: 'warehouses serve all tenants' },
    shard: { unsharded: 'one small document for each warehouse' },
    ends: 'never',
  },
);

/** A warehouse. Instants are epoch milliseconds; `closedAt` is null while it is open. */
export type Warehouse = NonNullable<(typeof warehouses)['document']>;

const noWarehouse = (): AppError => new AppError('40403', 'The warehouse does not exist');
/** Events carry a tenant; a warehouse has none. */
const holderOf = (code: string): string => `warehouse:${code}`;

/** By code; at most `limit`. */
export async function listWarehouses(store: Store, limit: number): Promise<Warehouse[]> {
  return (await store.find(warehouses.by.code, { eq: [], limit })).items.map(({ value }) => value);
}

/** @throws AppError 40403 when there is none */
export async function findWarehouse(store: Store, code: string): Promise<Warehouse> {
  const stored = await store.get(warehouses, [code]);
  if (stored === undefined) throw noWarehouse();
  return stored.value;
}

/**
 * Adds a warehouse that forecasts may name from now on.
 * @throws AppError 40902 when the code is taken
 */
export async function addWarehouse(context: Context, { code, name }: Pick<Warehouse, 'code' | 'name'>): Promise<Warehouse> {
  const now = context.clock.now();
  const warehouse: Warehouse = { code, name, createdAt: now, closedAt: null };
  const event = { warehouse_code: code, version: 1, name, opened_at: isoInstant(now) };
  const message = eventOf(context, 'warehouse.opened', holderOf(code), code, event);
  const [outcome] = await context.store.apply([{ in: warehouses, insert: warehouse, messages: [message] }]);
  if (outcome?.kind !== 'written') throw new AppError('40902', `The warehouse ${code} already exists`);
  return warehouse;
}

/** Writes a change and its event in one durable step, unless the warehouse is that way already. @throws AppError 40403 when there is none */
async function change(
  store: Store,
  code: string,
  set: Partial<Warehouse>,
  isSo: (warehouse: Warehouse) => boolean,
  messageOf: (version: number) => EncodedMessage,
): Promise<Warehouse> {
  const { result } = await store.change([{ in: warehouses, keys: [[code]] }], (known) => {
    const stored = known.get(warehouses, [code]);
    if (stored === undefined || isSo(stored.value)) return { writes: [], result: stored?.value };
    const messages = [messageOf(stored.version + 1)];
    return { writes: [{ in: warehouses, patch: stored, set, messages }], result: { ...stored.value, ...set } };
  });
  if (result === undefined) throw noWarehouse();
  return result;
}

/** Gives a warehouse another name. @throws AppError 40403 when there is none */
export function renameWarehouse(context: Context, code: string, name: string): Promise<Warehouse> {
  const event = { warehouse_code: code, name, renamed_at: isoInstant(context.clock.now()) };
  const messageOf = (version: number) => eventOf(context, 'warehouse.renamed', holderOf(code), code, { ...event, version });
  return change(context.store, code, { name }, (warehouse) => warehouse.name === name, messageOf);
}

/**
 * Closes a warehouse for new forecasts. Its keys stay valid, and what is on its way there is processed as before. Doing it again changes nothing.
 * @throws AppError 40403 when there is none
 */
export function closeWarehouse(context: Context, code: string): Promise<Warehouse> {
  const now = context.clock.now();
  const event = { warehouse_code: code, closed_at: isoInstant(now) };
  const messageOf = (version: number) => eventOf(context, 'warehouse.closed', holderOf(code), code, { ...event, version });
  return change(context.store, code, { closedAt: now }, ({ closedAt }) => closedAt !== null, messageOf);
}
