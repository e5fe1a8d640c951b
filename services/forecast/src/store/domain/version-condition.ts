import { AppError, type FieldError } from '@parcelway/kernel/app-error';

/** Versions that a change may meet; null when any will do. */
export type VersionCondition = ReadonlySet<string> | null;

/** One entity tag (RFC 9110, section 8.8.3), as it is in a list. */
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,(?:[ \\t]*,)*[ \\t]*${TAG})*[ \\t,]*$`);

export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Reads a header `If-Match` (RFC 9110, section 13.1.1).
 * @returns the entity tags that it names, `W/` included, which matches no version; an error when it is neither `*` nor a list of them
 */
export function versionCondition(header: string | undefined): { readonly condition: VersionCondition } | { readonly error: FieldError } {
  const text = header?.trim();
  if (text === undefined || text === '*') return { condition: null };
  if (LIST.test(text)) return { condition: new Set(text.match(new RegExp(TAG, 'g'))) };
  const message = 'If-Match must be an ETag from a response, such as "1" with its double quotes, a list of ETags separated by commas, or *';
  return { error: { field: 'If-Match', rule: 'entity_tag', message } };
}

/** @throws AppError 41201 with the version as it is, when the condition does not name it */
export function assertVersion(condition: VersionCondition, version: number): void {
  if (condition === null || condition.has(entityTag(version))) return;
  throw new AppError('41201', `The forecast has version ${version}, which If-Match does not name; read it again`, { data: { version } });
}
