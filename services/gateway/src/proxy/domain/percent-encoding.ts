import type { FieldError } from '@parcelway/kernel/app-error';

/** A target as it came: path and query, percent-encoding included. */
export interface EncodedTarget {
  readonly path: string;
  readonly full: string;
}

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

function errorOf(field: string): FieldError {
  return { field, rule: 'encoding', message: `${field} must be percent-encoded UTF-8; a percent sign is written %25` };
}

function pathErrors(pattern: string, path: string): FieldError[] {
  const names = pattern.split('/');
  return path.split('/').flatMap((segment, index) => (isDecodable(segment) ? [] : [errorOf((names[index] as string).slice(1, -1))]));
}

function queryErrors(query: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const pair of query.split('&')) {
    const split = pair.indexOf('=');
    const name = split === -1 ? pair : pair.slice(0, split);
    if (!isDecodable(pair)) errors.push(errorOf(name.slice(0, MAX_NAME)));
  }
  return errors;
}

/**
 * The parameters of a target whose percent-encoding is broken, or whose bytes are no UTF-8. Decoders replace such bytes or
 * leave them as they are, so that one identifier would be taken for another.
 * @param pattern path of the route that the target matched, with the names of its parameters in braces
 */
export function encodingErrors(pattern: string, target: EncodedTarget): FieldError[] {
  const { path, full } = target;
  if (isDecodable(full)) return [];
  return [...pathErrors(pattern, path), ...queryErrors(full.slice(path.length + 1))];
}
