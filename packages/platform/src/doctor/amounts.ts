/* How figures read in a sentence. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its largest unit, such as `3 min` or `2 days`. */
export function describeMs(ms: number): string {
  const size = Math.abs(ms);
  if (size < SECOND) return `${Math.round(ms)} ms`;
  if (size < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (size < HOUR) return `${Math.round(ms / MINUTE)} min`;
  if (size < 2 * DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / DAY)} days`;
}

/** Bytes as `1.5 GB`. */
export function describeBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `1 message`, `2 messages`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** The first names of a list, and how many more there are. */
export function listSome(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
