import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Carriers of parcels. */
export class Carriers extends Resource {
  /** The carriers that can be tracked, and with whose account. */
  list(options?: CallOptions) {
    return this.caller.call('listCarriers', {}, options);
  }

  /** The carriers that may have given a tracking number, best first, by its form and its check digit. An empty list is no fault. */
  detect(trackingNumber: string, options?: CallOptions) {
    return this.caller.call('detectCarriers', { query: { tracking_number: trackingNumber } }, options);
  }
}
