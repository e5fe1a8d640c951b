import { AppError } from '@parcelway/kernel/app-error';

/** A part of a path as some server reads it: the segment decoded, cut where it might cut. Undefined for what cannot be decoded. */
function partsOf(segment: string): readonly string[] | undefined {
  try {
    return decodeURIComponent(segment).split(/[/\\]/);
  } catch {
    return undefined;
  }
}

/**
 * False when a program on the way could read another path than is there: a segment `.` or `..`, also encoded or beside an encoded slash, which WHATWG URLs and
 * proxies resolve (RFC 3986, section 5.2.4), and a backslash, which WHATWG URLs take for a slash. Blanks and control characters end a request line.
 * @param url path with or without a query
 */
function isPlainPath(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  if (path.includes('\\') || /[^\x21-\xff]/.test(url)) return false;
  return path.split('/').every((segment) => partsOf(segment)?.every((part) => part !== '.' && part !== '..') ?? false);
}

/** @throws AppError 40402 naming the rule for a path that is not {@link isPlainPath plain}: no route has one */
export function assertPlainPath(url: string): void {
  if (isPlainPath(url)) return;
  throw new AppError(
    '40402',
    'The path must not contain a backslash, a blank or a segment that is . or ..; encode other characters with %',
  );
}
