import type { SessionKind } from '@parcelway/contracts/key-api';
import { isScope, type Scope } from '@parcelway/contracts/scopes';
import type { KeyRecord } from './key.ts';

/** That a session acts for a key, and until when. */
export interface ActingSession {
  readonly kind: SessionKind;
  /** When it or its key ends; epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a session may do, and whose it is. */
export interface OpenedSession {
  /** Of the key that it acts for. */
  readonly keyHash: string;
  /** Null: all of the key, because somebody signed in with it. A link names its scopes. */
  readonly scopes: readonly Scope[] | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** `pfs_` and a sealed text. Longer than any key, shorter than the headers may be. */
const TOKEN_PATTERN = /^pfs_s1\.[A-Za-z0-9_-]{1,16}\.[A-Za-z0-9_-]{1,2000}$/;

/** True for what may be the token of a session. */
export function isSessionToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/** A session as a text that {@link sessionFromText} reads. */
export function textOfSession({ keyHash, scopes, expiresAt }: OpenedSession): string {
  return JSON.stringify([1, keyHash, scopes, expiresAt]);
}

/** The session in a text; undefined when {@link textOfSession} of this version did not make it. */
export function sessionFromText(text: string): OpenedSession | undefined {
  const [version, keyHash, scopes, expiresAt] = JSON.parse(text) as [unknown, string, string[] | null, number];
  return version === 1 ? { keyHash, scopes: scopes?.filter(isScope) ?? null, expiresAt } : undefined;
}

/** The record by which a session is judged: that of its key, with no more than the session may do, and no longer. */
export function recordOfSession(record: KeyRecord, { scopes, expiresAt }: OpenedSession): KeyRecord {
  return {
    ...record,
    scopes: scopes === null ? record.scopes : record.scopes.filter((scope) => scopes.includes(scope)),
    expiresAt: earlier(expiresAt, record),
  };
}

/** How a session came to be, and when it or its key ends. @param record of its key */
export function actingSession({ scopes, expiresAt }: OpenedSession, record: KeyRecord): ActingSession {
  return { kind: scopes === null ? 'session' : 'link', expiresAt: earlier(expiresAt, record) };
}

/** The instant, or the end of the key when that comes first. */
const earlier = (instant: number, { expiresAt }: KeyRecord): number => (expiresAt === null ? instant : Math.min(instant, expiresAt));
