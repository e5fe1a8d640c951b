/** An object of JSON. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** True for an object of JSON that is no list. */
export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of JSON; an empty one for everything else. */
export function recordOf(value: unknown): WireRecord {
  return isRecord(value) ? value : {};
}

/** A list of JSON; an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A code, a date or a number of UPS as a short text: the specification quotes them, some of its samples do not. Blank when there is none. */
export function shortText(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : '';
  return typeof value === 'string' && value.length <= 100 ? value.trim() : '';
}
