// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Console link */
export interface ConsoleLink {
  /** Opens the console, signed in. Whoever has it can use it until it expires */
  readonly url: string;
  /** The key that it acts for. Revoke the key to end the link at once */
  readonly key_id: string;
  /** What the user may do */
  readonly scopes: readonly string[];
  /** When the link, and what it has opened, end */
  readonly expires_at: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Console link creation */
export interface ConsoleLinkCreation {
  /** What the user may do: only scopes of the calling key. Default: those of them that read, `weighing:read` and `tracking:read` */
  readonly scopes?: readonly ('forecasts:write' | 'files:write' | 'weighing:read' | 'tracking:read' | 'webhooks:manage' | 'connections:manage')[];
  /** How long the link and what it opens work. Default 3600 */
  readonly expires_in_seconds?: number;
}

/** Console session */
export interface ConsoleSession {
  /** Sent in the place of the key, in `X-Api-Key`. It ends with the key, too */
  readonly token: string;
  /** The key that it acts for; to revoke it ends the session */
  readonly key_id: string;
  /** When the session ends */
  readonly expires_at: string;
}
