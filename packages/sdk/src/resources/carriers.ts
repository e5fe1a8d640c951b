import type { Caller } from '../caller.ts';
import type { CarrierDetection, CarrierList } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';

/** Carriers of parcels. */
export class Carriers {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The carriers that can be tracked, and with whose account. */
  list(options?: CallOptions): Promise<CarrierList> {
    return this.#caller.call('listCarriers', {}, options);
  }

  /** The carriers that may have given a tracking number, best first, by its form and its check digit. An empty list is no fault. */
  detect(trackingNumber: string, options?: CallOptions): Promise<CarrierDetection> {
    return this.#caller.call('detectCarriers', { query: { tracking_number: trackingNumber } }, options);
  }
}
