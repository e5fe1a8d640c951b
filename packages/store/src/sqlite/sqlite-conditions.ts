import type { Index, Value } from '../collection.ts';
import { indexName, isEach, quoted, type Table } from './sqlite-table.ts';

/** Where an index is read: by name, so that a query without it fails instead of reading the table. */
export function source(table: Table, index: Index): string {
  if (!isEach(index)) return `${quoted(table.name)} AS t INDEXED BY ${indexName(table, index)}`;
  return `${indexName(table, index)} AS e CROSS JOIN ${quoted(table.name)} AS t ON t.n = e.n`;
}

export const named = (index: Index, field: string): string => `${isEach(index) ? 'e' : 't'}.${quoted(field)}`;

/** The first fields of an index have these values. */
export function conditions(index: Index, values: readonly Value[]): string[] {
  return values.map((_, place) => `${named(index, index.fields[place]?.field ?? '')} = ?`);
}

/** What an index asks of documents, behind its first fields. */
export function presence(index: Index, first: number): string[] {
  if (isEach(index)) return [];
  return index.fields.slice(first).flatMap(({ field, isOptional }) => (isOptional ? [`${named(index, field)} NOTNULL`] : []));
}

export function orderOf(index: Index, first: number, backwards: boolean): string {
  return index.fields
    .slice(first)
    .map(({ field, falls }) => `${named(index, field)}${falls !== backwards ? ' DESC' : ''}`)
    .join(', ');
}
