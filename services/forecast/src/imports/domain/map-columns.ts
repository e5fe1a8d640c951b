import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { ERROR_TITLE, fieldOfName, fieldOfTitle, type ImportField, importFields, normaliseTitle } from './import-fields.ts';

/** Title of a column → name of the field that it fills, or null to ignore it. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface MappedColumn {
  /** As the file has it. */
  readonly title: string;
  readonly field: string | null;
}

/** Something that is unusual; `field` is the title of a column, or `file`. */
export interface ImportWarning {
  readonly field: string;
  readonly message: string;
}

export interface MappedColumns {
  readonly columns: readonly MappedColumn[];
  /** Required fields that no column fills. */
  readonly missing: readonly string[];
  readonly warnings: readonly ImportWarning[];
}

const MAX_WARNINGS = 100;

/**
 * Reads a mapping as a caller sends it.
 * @param text JSON; undefined when there is none
 * @throws AppError 42201 when it is no object of titles and fields
 */
export function parseMapping(text: string | undefined): Mapping {
  if (text === undefined || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw AppError.validation([wrong('mapping must be a JSON object, such as {"Order":"po_number","Remark":null}')]);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw AppError.validation([wrong('mapping must be a JSON object of column titles and field names')]);
  }
  const errors = Object.entries(value).flatMap(([title, name]: [string, unknown]) =>
    name === null || (typeof name === 'string' && fieldOfName(name)) ? [] : [wrong(unknownField(title))],
  );
  if (errors.length > 0) throw AppError.validation(errors);
  return value as Mapping;
}

const wrong = (message: string): FieldError => ({ field: 'mapping', rule: 'mapping', message });

function unknownField(title: string): string {
  const names = importFields.map(({ name }) => name).join(', ');
  return `mapping of ${JSON.stringify(title.slice(0, 100))} must be null or one of ${names}`;
}

/**
 * Decides which column fills which field: by the mapping, else by its title.
 * @throws AppError 42201 when two columns fill the same field
 */
export function mapColumns(titles: readonly string[], mapping: Mapping): MappedColumns {
  const chosen = new Map(Object.entries(mapping).map(([title, name]) => [normaliseTitle(title), name]));
  const fieldOf = (title: string): ImportField | undefined => {
    const name = chosen.get(normaliseTitle(title));
    if (name === undefined) return fieldOfTitle(title);
    return name === null ? undefined : fieldOfName(name);
  };
  const columns = titles.map((title) => ({ title, field: fieldOf(title)?.name ?? null }));
  refuseTwice(columns);
  const filled = new Set(columns.map(({ field }) => field));
  const missing = importFields.filter(({ name, isRequired }) => isRequired && !filled.has(name)).map(({ name }) => name);
  return { columns, missing, warnings: warningsOf(columns, mapping) };
}

function refuseTwice(columns: readonly MappedColumn[]): void {
  const known = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const { title, field } of columns) {
    if (field === null) continue;
    const other = known.get(field);
    if (other !== undefined) {
      const message = `The columns ${JSON.stringify(other)} and ${JSON.stringify(title)} both fill ${field}; rename one of them, or ignore it with mapping`;
      errors.push({ field: title, rule: 'duplicate_column', message });
    } else known.set(field, title);
  }
  if (errors.length > 0) throw AppError.validation(errors);
}

function warningsOf(columns: readonly MappedColumn[], mapping: Mapping): ImportWarning[] {
  const found = new Set(columns.map(({ title }) => normaliseTitle(title)));
  const named = new Set(Object.keys(mapping).map(normaliseTitle));
  const ignored = columns.filter(({ title, field }) => {
    const name = normaliseTitle(title);
    return field === null && name !== '' && name !== ERROR_TITLE && !named.has(name);
  });
  const absent = Object.keys(mapping).filter((title) => !found.has(normaliseTitle(title)));
  return [
    ...ignored.map(({ title }) => ({ field: title, message: `The column ${title} is ignored: no field has this title` })),
    ...absent.map((title) => ({ field: title.slice(0, 100), message: 'mapping names this column, and the file does not have it' })),
  ].slice(0, MAX_WARNINGS);
}

export function missingColumns(titles: readonly string[], missing: readonly string[]): AppError {
  const shown = titles.filter((title) => title !== '').slice(0, 20);
  const found = shown.length === 0 ? 'none' : shown.map((title) => JSON.stringify(title.slice(0, 50))).join(', ');
  return new AppError(
    '42201',
    `No column fills ${missing.join(', ')}. The first row must have the titles; found: ${found}. Rename the columns, or name them in mapping`,
  );
}
