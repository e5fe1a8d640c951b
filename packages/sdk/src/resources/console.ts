import type { Caller } from '../caller.ts';
import type { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';

/** How people come into the console. */
export class Console {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** A link that opens the console for a user of yours, for an hour at most. */
  createLink(creation?: ConsoleLinkCreation, options?: CallOptions): Promise<ConsoleLink> {
    return this.#caller.call('createConsoleLink', { body: creation }, options);
  }

  /** Begins a session as the console does when somebody signs in with a key. */
  createSession(options?: CallOptions): Promise<ConsoleSession> {
    return this.#caller.call('createConsoleSession', {}, options);
  }
}
