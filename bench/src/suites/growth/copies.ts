/** A row of a table. */
export type Stored = Readonly<Record<string, unknown>>;

/** The rows of a table, named by service and table. */
export interface StoredPart {
  readonly name: string;
  readonly rows: readonly Stored[];
}

/** What distinguishes a copy of the model from all others. */
export interface Copy {
  /** From 1. */
  readonly index: number;
  /** So many milliseconds older than the model. */
  readonly ageMs: number;
}

/** A text that nothing but the model has. */
interface Mark {
  readonly text: string;
  /** So many of its first characters stay in the copies. */
  readonly kept: number;
  /** True for an id that begins with the time it was made at: its copies rise with time as well. */
  readonly isDated: boolean;
}

type CopyValue = (copy: Copy, texts: readonly string[]) => unknown;

/** Rows of a table that each copy has, or each n-th one. */
export interface CopiedPart {
  /** Service and table, such as `webhook/events`. */
  readonly name: string;
  /** One row for each row of the model. */
  readonly copiers: readonly ((copy: Copy, texts: readonly string[]) => Stored)[];
  /** Makes a copy of each so-many-th index only; 1 for all. */
  readonly every: number;
}

/** Makes the copies of a model. */
export interface Copying {
  readonly parts: readonly CopiedPart[];
  /** The texts of the marks in a copy. */
  textsOf(copy: Copy): readonly string[];
}

/** Fields whose texts no two parcels share, and how many of their characters copies share. */
const MARKED: Readonly<Record<string, number>> = {
  forecast_no: 8,
  po_number: 8,
  tracking_number: 8,
  event_id: 3,
  delivery_id: 4,
  attempt_id: 4,
  token: 0,
  md5: 0,
  sha256: 0,
};
const KEPT_OF_NUMBER = 8;
/** Its text has a folder in front. */
const STORAGE_KEY = 'storage_key';
/** `evt_…` and the like: prefix, then a UUID of version 7 without hyphens. */
const DATED = /^[a-z]+_[0-9a-f]{32}$/;
const TIME_DIGITS = 12;
/** Hexadecimal digits by which a copy differs. */
const DIGITS = 8;
/** More marks than any model has, a power of two. */
const MOST_MARKS = 256;
/** More rows of one table than any model has. */
const MOST_ROWS = 64;
/** A platform that is new has given out smaller numbers. */
const FIRST_NUMBER = 1_000;
/** Fields that the store numbers, and their series. Fields of one series share their numbers; undefined: numbered per table. */
const NUMBERS: Readonly<Record<string, string | undefined>> = {
  forecast_id: 'forecast',
  delivery_position: 'webhook/deliveries.position',
  position: undefined,
  id: undefined,
  number: undefined,
};
const DAY_MS = 86_400_000;
/** Something is due then: copies are due at other times, all of them later. */
const SOON_MS = 600_000;
const DUE_WITHIN_MS = 21_600_000;
/** Where the second stream of events begins (webhook: STREAM_BEGINS). */
const OPT_IN_BEGINS = 1_000_000_000_000_000;
const MIX = 0x9e3779b1;

/** Eight hexadecimal digits: one-to-one, and scattered over the order of an index. */
function scattered(number: number): string {
  return (Math.imul(number, MIX) >>> 0).toString(16).padStart(DIGITS, '0');
}

function textOf({ text, kept, isDated }: Mark, ordinal: number, { index, ageMs }: Copy): string {
  if (isDated) {
    const time = Number.parseInt(text.slice(kept, kept + TIME_DIGITS), 16) - ageMs;
    return text.slice(0, kept) + time.toString(16).padStart(TIME_DIGITS, '0') + text.slice(kept + TIME_DIGITS);
  }
  const digits = scattered(index * MOST_MARKS + ordinal);
  const isUpper = text === text.toUpperCase();
  return text.slice(0, kept) + (isUpper ? digits.toUpperCase() : digits) + text.slice(kept + DIGITS);
}

const numberMark = (text: string): Mark => ({ text, kept: KEPT_OF_NUMBER, isDated: false });

/** Number of a copy of a parcel. @param numbers all numbers that the model was given, in the order given to {@link copyingOf} */
export function numberOfCopy(numbers: readonly string[], at: number, index: number): string {
  return textOf(numberMark(numbers[at] as string), at, { index, ageMs: 0 });
}

/** Marks of `numbers`, then of the other unique texts in the rows. */
function marksOf(numbers: readonly string[], parts: readonly StoredPart[]): readonly Mark[] {
  const found = new Map(numbers.map((text) => [text, numberMark(text)]));
  for (const [field, text] of parts.flatMap(({ rows }) => rows.flatMap((row) => Object.entries(row)))) {
    if (typeof text !== 'string' || text.length <= DIGITS || found.has(text)) continue;
    const kept = field === STORAGE_KEY ? text.indexOf('/') + 1 : MARKED[field];
    if (kept === undefined) continue;
    const isDated = DATED.test(text);
    found.set(text, { text, kept: isDated ? text.indexOf('_') + 1 : kept, isDated });
  }
  return [...found.values()];
}

const seriesOf = (part: string, field: string): string => NUMBERS[field] ?? `${part}.${field}`;

/** The numbers of each series in the model, the lowest first. */
function ranksOf(parts: readonly StoredPart[]): ReadonlyMap<string, readonly number[]> {
  const all = new Map<string, Set<number>>();
  for (const { name, rows } of parts) {
    for (const [field, value] of rows.flatMap((row) => Object.entries(row))) {
      if (!(field in NUMBERS) || typeof value !== 'number') continue;
      const series = seriesOf(name, field);
      all.set(series, (all.get(series) ?? new Set()).add(value));
    }
  }
  return new Map([...all].map(([series, values]) => [series, [...values].sort((a, b) => a - b)]));
}

/**
 * Learns from what services keep of some parcels how others of the kind would be kept: what the services have written themselves is the model, so the
 * shape of the copies is theirs. The copies differ in their numbers and ids, and are older.
 * @param numbers texts that the parcels were given, such as their po_number
 * @param parts of all services
 * @param everyOf each so-many-th copy has a row like this one; 1 for all
 * @throws RangeError when the model is larger than copies can differ in
 */
export function copyingOf(
  numbers: readonly string[],
  parts: readonly StoredPart[],
  now: number,
  everyOf: (part: string, row: Stored) => number,
): Copying {
  const marks = marksOf(numbers, parts);
  if (marks.length > MOST_MARKS || parts.some(({ rows }) => rows.length > MOST_ROWS)) throw new RangeError('The model is too large');
  const ordinals = new Map(marks.map(({ text }, ordinal) => [text, ordinal]));
  // They have letters, digits, hyphens, underscores and slashes alone, which mean themselves.
  const anyMark = new RegExp(`(${[...ordinals.keys()].sort((a, b) => b.length - a.length).join('|')})`);
  const ranks = ranksOf(parts);

  function ofText(value: string): CopyValue {
    const pieces = value.split(anyMark).map((piece) => ordinals.get(piece) ?? piece);
    if (pieces.length === 1 && typeof pieces[0] === 'string') return () => value;
    return (_, texts) => {
      let text = '';
      for (const piece of pieces) text += typeof piece === 'string' ? piece : texts[piece];
      return text;
    };
  }

  function ofNumber(part: string, field: string, value: number): CopyValue {
    const rank = field in NUMBERS ? ranks.get(seriesOf(part, field))?.indexOf(value) : undefined;
    if (rank !== undefined) return ({ index }) => FIRST_NUMBER + index * MOST_ROWS + rank;
    if (value > now + SOON_MS && value < now + 2 * DAY_MS) return ({ index }) => value + ((index * MOST_ROWS * 997) % DUE_WITHIN_MS);
    const isNear = (milliseconds: number): boolean => Math.abs(milliseconds - now) < 2 * DAY_MS;
    if (isNear(value) || isNear(value - OPT_IN_BEGINS)) return ({ ageMs }) => value - ageMs;
    return isNear(value / 1000) ? ({ ageMs }) => value - ageMs * 1000 : () => value;
  }

  function copierOf(part: string, row: Stored): CopiedPart['copiers'][number] {
    const fields = Object.entries(row).map(([field, value]): readonly [string, CopyValue] => {
      if (typeof value === 'string') return [field, ofText(value)];
      return [field, typeof value === 'number' ? ofNumber(part, field, value) : () => value];
    });
    return (copy, texts) => {
      const made: Record<string, unknown> = {};
      for (const [field, of] of fields) made[field] = of(copy, texts);
      return made;
    };
  }

  return {
    parts: parts.flatMap(({ name, rows }) => {
      const strides = [...new Set(rows.map((row) => everyOf(name, row)))];
      const copiersOf = (every: number) => rows.filter((row) => everyOf(name, row) === every).map((row) => copierOf(name, row));
      return strides.map((every) => ({ name, every, copiers: copiersOf(every) }));
    }),
    textsOf: (copy) => marks.map((mark, ordinal) => textOf(mark, ordinal, copy)),
  };
}
