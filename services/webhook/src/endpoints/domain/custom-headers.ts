import { HIDDEN_HEADER_VALUE } from '@parcelway/contracts/webhook-endpoint-api';
import type { FieldError } from '@parcelway/kernel/app-error';

/** Name of an HTTP field (RFC 9110, 5.1: token), of a length that every server takes. */
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/** Names that HTTP needs for itself (RFC 9110 and 9112), or that say what the platform has to say. In lower case. */
const TAKEN = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const TAKEN_PREFIXES = ['webhook-', 'proxy-', 'sec-'];

function refusalOf(name: string, value: string, names: ReadonlySet<string>): Pick<FieldError, 'rule' | 'message'> | undefined {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) {
    return {
      rule: 'pattern',
      message: 'must have a name of 1 to 64 characters: letters, digits, - . _ and the other characters of an HTTP token',
    };
  }
  if (TAKEN.has(lower) || TAKEN_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return { rule: 'reserved', message: 'is set by the platform or by HTTP itself; choose another name' };
  }
  if (names.has(lower)) return { rule: 'unique_items', message: 'is given twice; header names are case-insensitive' };
  if (value === HIDDEN_HEADER_VALUE) {
    return {
      rule: 'hidden',
      message: 'has the placeholder that responses show instead of the value; give the value, or leave headers out to keep them',
    };
  }
  return undefined;
}

/** What is wrong with custom headers, beyond their shape; empty when nothing is. */
export function headerErrors(headers: Readonly<Record<string, string>> | undefined): FieldError[] {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    const refusal = refusalOf(name, value, names);
    const field = `headers.${name}`;
    if (refusal) errors.push({ field, rule: refusal.rule, message: `${field} ${refusal.message}` });
    names.add(name.toLowerCase());
  }
  return errors;
}
