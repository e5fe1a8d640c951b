import { type ListFilters, nameOfFilters } from './list-plan.ts';

/*
 * A place in a list with some filters as a text: of Latin-1 characters, {@link MAX_PLACE} at most, the last of which is no blank.
 */

/** What a sealed cursor has room for. */
export const MAX_PLACE = 320;

const BEGINNING = /^1\.([\w-]{11})\./;

export function textOfPlace(filters: ListFilters, place: string): string {
  return `1.${nameOfFilters(filters)}.${Buffer.from(place, 'base64url').toString('latin1')}`;
}

/** False for a text that is no place, whatever the filters. */
export function mayBePlace(text: string): boolean {
  return BEGINNING.test(text);
}

/** The place in a text; undefined when {@link textOfPlace} made it for other filters. */
export function placeInText(filters: ListFilters, text: string): string | undefined {
  const [beginning, name] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined || name !== nameOfFilters(filters)) return undefined;
  return Buffer.from(text.slice(beginning.length), 'latin1').toString('base64url');
}
