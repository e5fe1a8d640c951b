import type { Caller } from '../caller.ts';
import type { WarehouseList } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';

/** Warehouses that a forecast may name. */
export class Warehouses {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All of them. */
  list(options?: CallOptions): Promise<WarehouseList> {
    return this.#caller.call('listWarehouses', {}, options);
  }
}
