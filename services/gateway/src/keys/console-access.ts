import { CONSOLE_LINK_SECONDS, CONSOLE_SESSION_SECONDS, type ConsoleLink } from '@parcelway/contracts/console-api';
import { KEYS_SCOPE, readingTenantScopes, type Scope } from '@parcelway/contracts/scopes';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import type { KeyRecord } from '../proxy/domain/key.ts';
import type { ActingSession, SessionTokens } from '../proxy/domain/session.ts';
import { grantErrors } from './domain/key-rules.ts';

/** What sessions of the console are made with. */
export interface ConsoleAccessOptions {
  readonly sessions: Pick<SessionTokens, 'seal'>;
  readonly clock: Clock;
}

/** What is asked of a link. */
export interface LinkRequest {
  /** Default: those of the key that read. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/** A session that was begun, or is behind a link. */
export interface BegunSession {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly scopes: readonly Scope[];
}

/** The caller of a route: a key, or a session that acts for one. */
export interface ConsoleCaller {
  readonly record: KeyRecord;
  readonly session: ActingSession | null;
}

/** @throws AppError 40301 for a session: it must not make what outlives it, or pass on what it was given */
export function assertKeyItself(session: ActingSession | null): void {
  if (session !== null) throw new AppError('40301', 'A session of the console cannot do this; send the API key itself');
}

const atMost = (expiresAt: number, { expiresAt: end }: KeyRecord): number => (end === null ? expiresAt : Math.min(expiresAt, end));

/** Begins a session with all that a key may do. @throws AppError 40301 for a session */
export function beginSession({ sessions, clock }: ConsoleAccessOptions, { record, session }: ConsoleCaller): BegunSession {
  assertKeyItself(session);
  const expiresAt = atMost(clock.now() + CONSOLE_SESSION_SECONDS * 1000, record);
  return { token: sessions.seal(record.hash, null, expiresAt), expiresAt, scopes: record.scopes };
}

function errorsOf(scopes: readonly Scope[], record: KeyRecord): FieldError[] {
  if (scopes.length > 0) return grantErrors(scopes, { scopes: record.scopes.filter((scope) => scope !== KEYS_SCOPE) });
  const message = `scopes is required: the calling key has neither ${readingTenantScopes.join(' nor ')}, which a link has by default`;
  return [{ field: 'scopes', rule: 'required', message }];
}

/** Makes what a link holds. @throws AppError 40301 for a session, 42201 for scopes that the key lacks or that a link cannot give */
export function makeLink(
  { sessions, clock }: ConsoleAccessOptions,
  { record, session }: ConsoleCaller,
  request: LinkRequest,
): BegunSession {
  assertKeyItself(session);
  const scopes = request.scopes ?? readingTenantScopes.filter((scope) => record.scopes.includes(scope));
  const errors = errorsOf(scopes, record);
  if (errors.length > 0) throw AppError.validation(errors);
  const seconds = request.expiresInSeconds ?? CONSOLE_LINK_SECONDS.standard;
  const expiresAt = atMost(clock.now() + seconds * 1000, record);
  return { token: sessions.seal(record.hash, scopes, expiresAt), expiresAt, scopes };
}

/** A link as who has asked for it sees it. Its fragment reaches no server and no log. @param baseUrl public address of the platform */
export function viewLink(baseUrl: string, keyId: string, { token, scopes, expiresAt }: BegunSession): Omit<ConsoleLink, 'warnings'> {
  return { url: `${baseUrl}/console#link=${token}`, key_id: keyId, scopes: [...scopes], expires_at: isoInstant(expiresAt) };
}
