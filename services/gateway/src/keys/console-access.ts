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
  /** Public address of the platform. */
  readonly publicBaseUrl: string;
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

/** Begins a session with all that a key may do. @returns its token, and when it ends in epoch milliseconds @throws AppError 40301 for a session */
export function beginSession({ sessions, clock }: ConsoleAccessOptions, { record, session }: ConsoleCaller) {
  assertKeyItself(session);
  const expiresAt = atMost(clock.now() + CONSOLE_SESSION_SECONDS * 1000, record);
  return { token: sessions.seal(record.hash, null, expiresAt), expiresAt };
}

function errorsOf(scopes: readonly Scope[], record: KeyRecord): FieldError[] {
  if (scopes.length > 0) return grantErrors(scopes, { scopes: record.scopes.filter((scope) => scope !== KEYS_SCOPE) });
  const message = `scopes is required: the calling key has neither ${readingTenantScopes.join(' nor ')}, which a link has by default`;
  return [{ field: 'scopes', rule: 'required', message }];
}

/**
 * Makes a link, whose fragment reaches no server and no log.
 * @param request.scopes default: those of the key that read
 * @throws AppError 40301 for a session, 42201 for scopes that the key lacks or that a link cannot give
 */
export function makeLink(
  { sessions, clock, publicBaseUrl }: ConsoleAccessOptions,
  { record, session }: ConsoleCaller,
  request: { readonly scopes?: readonly Scope[] | undefined; readonly expiresInSeconds?: number | undefined },
): Omit<ConsoleLink, 'warnings'> {
  assertKeyItself(session);
  const scopes = request.scopes ?? readingTenantScopes.filter((scope) => record.scopes.includes(scope));
  const errors = errorsOf(scopes, record);
  if (errors.length > 0) throw AppError.validation(errors);
  const seconds = request.expiresInSeconds ?? CONSOLE_LINK_SECONDS.standard;
  const expiresAt = atMost(clock.now() + seconds * 1000, record);
  const url = `${publicBaseUrl}/console#link=${sessions.seal(record.hash, scopes, expiresAt)}`;
  return { url, key_id: record.keyId, scopes: [...scopes], expires_at: isoInstant(expiresAt) };
}
