import type { Scope } from '@parcelway/contracts/scopes';
import { createTextSealer, type TextSealer } from '@parcelway/kernel/sealed-text';
import { isSessionToken, type OpenedSession, sessionFromText, textOfSession } from './domain/session.ts';

/** Where tokens are bound to: what is sealed for another purpose opens no session. */
const PLACE = 'console session';
const PREFIX = 'pfs_';

/** Seals and opens the tokens of sessions. Nothing of them is stored: they hold the hash of their key, and nobody can make or read one without a secret. */
export class SessionTokens {
  readonly #sealer: TextSealer;

  /** @param secrets of the installation, the current one first; a token ends with the one that sealed it */
  constructor(secrets: readonly string[]) {
    this.#sealer = createTextSealer(secrets);
  }

  /** The token of a session. @param scopes null for all of the key @param expiresAt epoch milliseconds */
  seal(keyHash: string, scopes: readonly Scope[] | null, expiresAt: number): string {
    return PREFIX + this.#sealer.seal(textOfSession({ keyHash, scopes, expiresAt }), PLACE);
  }

  /** True for what may be a token rather than a key. */
  isToken(text: string): boolean {
    return isSessionToken(text);
  }

  /** The session of a token; undefined when it was not sealed here. Whether it has ended is for the caller to say. */
  open(token: string): OpenedSession | undefined {
    try {
      return sessionFromText(this.#sealer.open(token.slice(PREFIX.length), PLACE));
    } catch {
      // The only failure there is: it was not sealed with these secrets.
      return undefined;
    }
  }
}
