import type { FieldError } from '@parcelway/kernel/app-error';
import type { RequestTarget } from './request-head.ts';

/** A parameter's name is the client's text; an error shows it as it came, this much of it. */
const MAX_NAME = 100;

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The parameters of a target whose percent-encoding is broken, or whose bytes are no UTF-8. Decoders replace such bytes or
 * leave them as they are, so that one identifier would be taken for another.
 * @param pattern path of the route that the target matched, with the names of its parameters in braces
 */
export function encodingErrors(pattern: string, { path, full }: RequestTarget): FieldError[] {
  if (isDecodable(full)) return [];
  const names = pattern.split('/').map((name) => name.slice(1, -1));
  const segments = path.split('/').map((text, index) => ({ text, field: names[index] as string }));
  const query = full.slice(path.length + 1).split('&');
  const pairs = query.map((text) => ({ text, field: (text.split('=', 1)[0] as string).slice(0, MAX_NAME) }));
  return [...segments, ...pairs]
    .filter(({ text }) => !isDecodable(text))
    .map(({ field }) => ({ field, rule: 'encoding', message: `${field} must be percent-encoded UTF-8; a percent sign is written %25` }));
}
