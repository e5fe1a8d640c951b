import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Who calls. */
export class Me extends Resource {
  /** Your tenant, the key that you call with, and its rate limits. Any key of a tenant can read it. */
  get(options?: CallOptions) {
    return this.caller.call('getOwnAccess', {}, options);
  }
}
