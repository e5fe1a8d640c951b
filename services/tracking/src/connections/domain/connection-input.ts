import { compileValidator } from '@parcelway/contracts/validator';
import type { FieldError } from '@parcelway/kernel/app-error';
import Type, { type Static } from 'typebox';
import { type Connection, type ConnectionCredentials, normalCarrierCode } from './connection.ts';

/** What of a source decides whether a connection may have these fields. */
export interface SourceDescription {
  readonly name: string;
  readonly credentials: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** What is wrong with credentials that have the right names. */
  faultOf?(credentials: ConnectionCredentials): FieldError | undefined;
}

/** Sources by their names. */
export type SourceDescriptions = ReadonlyMap<string, SourceDescription>;

/** Connections that one owner may have. */
export const MAX_CONNECTIONS = 50;

const id = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', description: '1 to 64 letters, digits, _ and -' });

/** A connection as operators and tenants write it. */
export const ConnectionInput = Type.Object(
  {
    id: Type.Optional(id),
    source: Type.String({ maxLength: 40 }),
    base_url: Type.Optional(Type.String({ maxLength: 2048, pattern: '^https?://[^\\s?#@]+$' })),
    carriers: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^\\S+$' }), { minItems: 1, maxItems: 200 }),
    credentials: Type.Record(
      Type.String({ maxLength: 40 }),
      Type.String({ minLength: 1, maxLength: 4096, pattern: '^[^\\x00-\\x20\\x7f]+$' }),
    ),
  },
  { additionalProperties: false },
);
export type ConnectionInput = Static<typeof ConnectionInput>;

const validator = compileValidator(ConnectionInput);

/** Errors of the source and its credentials. They name fields, and show none of their values. */
function sourceErrors({ source, credentials }: ConnectionInput, sources: SourceDescriptions): FieldError[] {
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

/** Every error of a connection that somebody wrote; empty when it is right. */
export function connectionErrors(value: unknown, sources: SourceDescriptions): readonly FieldError[] {
  const errors = validator.errors(value);
  return errors.length > 0 || !validator.is(value) ? errors : sourceErrors(value, sources);
}

/**
 * The connection in an input that has no errors.
 * @param connectionId for one that names none
 */
export function connectionOf(input: ConnectionInput, tenantId: string | null, connectionId: string): Connection {
  return {
    connectionId: input.id ?? connectionId,
    tenantId,
    source: input.source,
    baseUrl: input.base_url?.replace(/\/+$/, '') ?? null,
    carriers: [...new Set(input.carriers.map(normalCarrierCode))],
    credentials: input.credentials,
  };
}

/** True for a connection that {@link connectionErrors} finds nothing wrong with. */
export function isConnectionInput(value: unknown, sources: SourceDescriptions): value is ConnectionInput {
  return connectionErrors(value, sources).length === 0;
}
