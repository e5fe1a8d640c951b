import type { Caller } from '../caller.ts';
import type { OwnAccess } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';

/** Who calls. */
export class Me {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Your tenant, the key that you call with, and its rate limits. Any key of a tenant can read it. */
  get(options?: CallOptions): Promise<OwnAccess> {
    return this.#caller.call('getOwnAccess', {}, options);
  }
}
