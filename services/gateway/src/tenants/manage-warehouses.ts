import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { WarehouseRecord } from './domain/records.ts';
import { type ChangeOptions, closed, opened, renamed, type WarehouseChange } from './domain/warehouse-events.ts';
import type { TenantStores } from './manage-tenants.ts';

/** What changing warehouses works with. */
export interface ManageWarehousesOptions {
  readonly environment: Environment;
  readonly stores: Pick<TenantStores, 'warehouses'>;
  readonly clock: Clock;
}

const changeOptionsOf = ({ environment, clock }: ManageWarehousesOptions): ChangeOptions => ({ environment, now: clock.now() });

/**
 * Adds a warehouse that forecasts may name from now on.
 * @throws AppError 40902 when the code is taken
 */
export async function addWarehouse(
  options: ManageWarehousesOptions,
  given: Pick<WarehouseRecord, 'code' | 'name'>,
): Promise<WarehouseRecord> {
  const change = opened(given, changeOptionsOf(options));
  if (!(await options.stores.warehouses.add(change))) throw new AppError('40902', `The warehouse ${given.code} already exists`);
  return change.warehouse;
}

function existing(warehouse: WarehouseRecord | undefined): WarehouseRecord {
  if (warehouse === undefined) throw new AppError('40403', 'The warehouse does not exist');
  return warehouse;
}

/** @throws AppError 40403 when there is none */
export async function findWarehouse({ warehouses }: Pick<TenantStores, 'warehouses'>, code: string): Promise<WarehouseRecord> {
  return existing(await warehouses.find(code));
}

/** @throws AppError 40403 when there is no such warehouse */
async function changeWarehouse(
  { stores }: ManageWarehousesOptions,
  code: string,
  decide: (warehouse: WarehouseRecord) => WarehouseChange | undefined,
): Promise<WarehouseRecord> {
  return existing(await stores.warehouses.change(code, decide));
}

/** Gives a warehouse another name. @throws AppError 40403 when there is none */
export function renameWarehouse(options: ManageWarehousesOptions, code: string, name: string): Promise<WarehouseRecord> {
  return changeWarehouse(options, code, (warehouse) => renamed(warehouse, name, changeOptionsOf(options)));
}

/**
 * Closes a warehouse for new forecasts. Its keys stay valid, and what is on its way there is processed as before. Doing it again changes nothing.
 * @throws AppError 40403 when there is none
 */
export function closeWarehouse(options: ManageWarehousesOptions, code: string): Promise<WarehouseRecord> {
  return changeWarehouse(options, code, (warehouse) => closed(warehouse, changeOptionsOf(options)));
}
