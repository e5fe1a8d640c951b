/** An object of JSON whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object of JSON that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of JSON; one without fields for everything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** A list of JSON; an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
