import type { ConsoleLinkCreation } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** How people come into the console. */
export class Console extends Resource {
  /** A link that opens the console for a user of yours, for an hour at most. */
  createLink(creation?: ConsoleLinkCreation, options?: CallOptions) {
    return this.caller.call('createConsoleLink', { body: creation }, options);
  }

  /** Begins a session as the console does when somebody signs in with a key. */
  createSession(options?: CallOptions) {
    return this.caller.call('createConsoleSession', {}, options);
  }
}
