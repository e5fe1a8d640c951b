import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Warehouses that a forecast may name. */
export class Warehouses extends Resource {
  /** All of them. */
  list(options?: CallOptions) {
    return this.caller.call('listWarehouses', {}, options);
  }
}
