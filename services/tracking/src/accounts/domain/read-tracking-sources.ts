import { MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import type { OperatorConnection } from '@parcelway/contracts/operator-connection-api';
import type { Connection } from './connection.ts';
import { connectionErrors, connectionOf, type SourceDescriptions } from './connection-input.ts';

const EXAMPLE = '[{"id":"17track","source":"17track","carriers":["*"],"credentials":{"key":"…"}}]';

function parse(text: string): readonly unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error(`must be a JSON list such as ${EXAMPLE}`);
  }
  if (!Array.isArray(list)) throw new Error(`must be a list such as ${EXAMPLE}`);
  if (list.length > MAX_CONNECTIONS) throw new Error(`must have at most ${MAX_CONNECTIONS} connections`);
  return list;
}

/**
 * Reads the operator's connections from the variable TRACKING_SOURCES: a JSON list of
 * `{ "id", "source", "base_url"?, "carriers": ["*" or codes], "limits"?: { … }, "credentials": { … } }`.
 * @param value undefined for none
 * @throws Error with a sentence that completes "TRACKING_SOURCES …" and shows no credential
 */
export function readTrackingSources(value: string | undefined, sources: SourceDescriptions): readonly Connection[] {
  if (value === undefined) return [];
  const list = parse(value);
  const errors = list.flatMap((one, index) => {
    const found = connectionErrors(one, sources);
    if (found.length === 0 && (one as OperatorConnection).id === undefined) return [`[${index}].id is required`];
    return found.map(({ field, message }) => `[${index}]${field === '' ? '' : `.${field}`}: ${message}`);
  });
  if (errors.length > 0) throw new Error(`has connections that are wrong: ${errors.slice(0, 10).join('; ')}`);
  const connections = (list as readonly OperatorConnection[]).map((input) => connectionOf(input, null, ''));
  const ids = connections.map(({ connectionId }) => connectionId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`has two connections with the id ${twice}`);
  return connections;
}
