import { OperatorConnection } from '@parcelway/contracts/operator-connection-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { FieldError } from '@parcelway/kernel/app-error';
import { type Connection, type ConnectionCredentials, normalCarrierCode } from './connection.ts';

/**
 * Credentials after a change. A secret that proves pushes has a companion, `previous_<name>`, among the names of its source: it gets the former value, so
 * that both are valid until the vendor signs with the new one.
 * @param changes a new value by name; null removes it, with its companion
 */
export function changedCredentials(
  former: ConnectionCredentials,
  changes: Readonly<Record<string, string | null>>,
  { credentials }: Pick<SourceDescription, 'credentials'>,
): ConnectionCredentials {
  const next = new Map(Object.entries(former));
  const given = new Map(Object.entries(changes));
  for (const [name, value] of given) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  for (const name of [...credentials.required, ...credentials.optional]) {
    const companion = `previous_${name}`;
    const value = given.get(name);
    if (!credentials.optional.includes(companion) || value === undefined || given.has(companion)) continue;
    const before = former[name];
    if (value === null) next.delete(companion);
    else if (before !== undefined && before !== value) next.set(companion, before);
  }
  return Object.fromEntries(next);
}

/** What of a source decides whether a connection may have these fields. */
export interface SourceDescription {
  /** The vendor's own address; empty when every connection brings its own. */
  readonly baseUrl: string;
  readonly credentials: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** Null where the vendor does not push. */
  readonly pushes: object | null;
  /** What is wrong with credentials that have the right names. */
  faultOf?(credentials: ConnectionCredentials): FieldError | undefined;
}

/** Sources by their names. */
export type SourceDescriptions = ReadonlyMap<string, SourceDescription>;

const validator = compileValidator(OperatorConnection);

/**
 * The sources that an owner may connect. A tenant has only those with an address of their own: otherwise the platform could be made to call any host.
 * @param tenantId null for the operator
 */
export function sourcesFor(tenantId: string | null, sources: SourceDescriptions): SourceDescriptions {
  return tenantId === null ? sources : new Map([...sources].filter(([, { baseUrl }]) => baseUrl !== ''));
}

/** Errors of the source and its credentials. They name fields, and show none of their values. */
function sourceErrors({ source, credentials }: OperatorConnection, sources: SourceDescriptions): FieldError[] {
  const description = sources.get(source);
  if (description === undefined) {
    return [{ field: 'source', rule: 'enum', message: `source must be one of ${[...sources.keys()].join(', ')}` }];
  }
  const { required, optional } = description.credentials;
  const known = [...required, ...optional];
  const missing = required
    .filter((name) => credentials[name] === undefined)
    .map((name) => ({ field: `credentials.${name}`, rule: 'required', message: `credentials.${name} is required by ${source}` }));
  const unknown = Object.keys(credentials)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: `credentials.${name}`,
      rule: 'unknown',
      message: `credentials.${name} is not known to ${source}, which takes ${known.join(', ')}`,
    }));
  const errors = [...missing, ...unknown];
  const fault = errors.length === 0 ? description.faultOf?.(credentials) : undefined;
  return fault === undefined ? errors : [fault];
}

/** Errors of what the operator alone may write: a tenant's calls go to the vendor's own address, and its ids are random. */
export function ownerErrors(tenantId: string | null, input: OperatorConnection): readonly FieldError[] {
  if (tenantId === null) return [];
  return (['id', 'base_url'] as const)
    .filter((field) => input[field] !== undefined)
    .map((field) => ({ field, rule: 'unknown', message: `${field} is set by the operator of the platform alone` }));
}

/** Vendors that do not sign prove their pushes by a token, so a stored connection has one. TRACKING_SOURCES may omit it: then pushes are refused. */
export function tokenErrors({ source, credentials }: OperatorConnection, sources: SourceDescriptions): readonly FieldError[] {
  const takesToken = sources.get(source)?.credentials.optional.includes('push_token') ?? false;
  if (!takesToken || credentials['push_token'] !== undefined) return [];
  const message = `credentials.push_token is required by ${source}: choose a long random token, and set the same one at the vendor`;
  return [{ field: 'credentials.push_token', rule: 'required', message }];
}

/** Every error of a connection that somebody wrote; empty when it is right. */
export function connectionErrors(value: unknown, sources: SourceDescriptions): readonly FieldError[] {
  const errors = validator.errors(value);
  return errors.length > 0 || !validator.is(value) ? errors : sourceErrors(value, sources);
}

/**
 * The connection in an input that has no errors.
 * @param connectionId for one that names none
 */
export function connectionOf(input: OperatorConnection, tenantId: string | null, connectionId: string): Connection {
  return {
    connectionId: input.id ?? connectionId,
    tenantId,
    source: input.source,
    baseUrl: input.base_url?.replace(/\/+$/, '') ?? null,
    carriers: [...new Set(input.carriers.map(normalCarrierCode))],
    limits: input.limits ?? null,
    credentials: input.credentials,
  };
}
