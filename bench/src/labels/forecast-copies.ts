import { createHash } from 'node:crypto';
import { until } from '@parcelway/kernel/testing/until';
import { closedLoopOf } from '../closed-loop.ts';

/** A row or a document. */
export type Stored = Readonly<Record<string, unknown>>;

/** The rows of a table, or the documents of a collection. */
export interface StoredPart {
  readonly name: string;
  readonly rows: readonly Stored[];
}

/** What a service keeps. */
export interface CopyStore {
  readonly service: string;
  /** Everything, of a platform that is about new; a table before those that refer to it. */
  read(): Promise<readonly StoredPart[]>;
  insert(part: string, rows: readonly Stored[]): Promise<void>;
  close(): Promise<void>;
}

/** A forecast as its merchant knows it. */
export interface ForecastNumbers {
  readonly forecastNo: string;
  readonly poNumber: string;
}

/** A text that no other forecast has, and how many of its first characters its copies share. */
interface Mark {
  readonly text: string;
  readonly kept: number;
}

/** A forecast number begins with letters and the day. */
const KEPT_OF_FORECAST_NO = 8;
/** A po_number of the suite begins with a word. */
const KEPT_OF_PO_NUMBER = 5;
/** Fields whose texts no two forecasts share; a key of the object store is in a folder. */
const KEPT_OF_FIELDS: Readonly<Record<string, number>> = { label_token: 0, slip_token: 0, token: 0, storage_key: 'document/'.length };
/** Numbers of a forecast: a copy has the one of the original plus so many times its index. The later copy is the older forecast. */
const STEPS: Readonly<Record<string, number>> = { forecast_id: 1, created_at: -1, accepted_at: -1, generated_at: -1, stamp: -1 };
/** What waits to be published or done: copies of it would be, too. */
const WAITING_PARTS = ['outbox', 'document_orders'];
const WAITING_FIELD = 'outbox';
const INDEX_DIGITS = 5;
const BATCH = 1_000;
/** One is made while another is written. */
const BATCHES_AT_ONCE = 2;
const SETTLED_WITHIN_MS = 30_000;

/** The text of a copy: scattered like the original ones over the order of an index, and each one's own. */
function textOf({ text, kept }: Mark, index: number): string {
  const digits = text.length - kept - INDEX_DIGITS;
  const scattered = createHash('sha256').update(String(index)).digest('hex').slice(0, digits);
  return text.slice(0, kept) + `${scattered}${index.toString(16).padStart(INDEX_DIGITS, '0')}`.toUpperCase();
}

function marksOfNumbers({ forecastNo, poNumber }: ForecastNumbers): readonly [Mark, Mark] {
  return [
    { text: forecastNo, kept: KEPT_OF_FORECAST_NO },
    { text: poNumber, kept: KEPT_OF_PO_NUMBER },
  ];
}

/** The numbers of a copy, by its index from 1. */
export function numbersOfCopy(original: ForecastNumbers, index: number): ForecastNumbers {
  const [forecastNo, poNumber] = marksOfNumbers(original);
  return { forecastNo: textOf(forecastNo, index), poNumber: textOf(poNumber, index) };
}

/** The parts with the rows about the forecast. */
function partsOf(parts: readonly StoredPart[], { forecastNo, poNumber }: ForecastNumbers): readonly StoredPart[] {
  const isOf = (row: Stored): boolean => {
    const text = JSON.stringify(row);
    return text.includes(forecastNo) || text.includes(poNumber);
  };
  return parts.map(({ name, rows }) => ({ name, rows: rows.filter(isOf) })).filter(({ rows }) => rows.length > 0);
}

function marksOf(original: ForecastNumbers, rows: readonly Stored[]): readonly Mark[] {
  const ofFields = rows.flatMap((row) =>
    Object.entries(KEPT_OF_FIELDS).flatMap(([field, kept]) => {
      const text = row[field];
      return typeof text === 'string' ? [{ text, kept }] : [];
    }),
  );
  return [...marksOfNumbers(original), ...ofFields];
}

const isRecord = (value: unknown): value is Stored => {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

/** Makes copies of rows: the same but for what identifies the forecast. */
type Copier = (row: Stored) => Stored;

function copiersOf(marks: readonly Mark[]): (index: number) => Copier {
  // They have letters, digits, hyphens, underscores and slashes alone, which mean themselves.
  const anyMark = new RegExp(marks.map(({ text }) => text).join('|'), 'g');
  return (index) => {
    const texts = new Map(marks.map((mark) => [mark.text, textOf(mark, index)]));
    const copyOf = (value: unknown): unknown => {
      if (typeof value === 'string') return value.replace(anyMark, (text) => texts.get(text) as string);
      if (Array.isArray(value)) return value.map(copyOf);
      return isRecord(value) ? copyOfRow(value) : value;
    };
    const copyOfRow: Copier = (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const step = STEPS[name];
          return [name, step !== undefined && typeof value === 'number' ? value + step * index : copyOf(value)];
        }),
      );
    return copyOfRow;
  };
}

/** What each service keeps of the forecast, once nothing of it waits any more. */
async function readSettled(
  stores: readonly CopyStore[],
  original: ForecastNumbers,
): Promise<ReadonlyMap<CopyStore, readonly StoredPart[]>> {
  const read = async () => {
    const all = new Map<CopyStore, readonly StoredPart[]>();
    for (const store of stores) all.set(store, partsOf(await store.read(), original));
    const parts = [...all.values()].flat();
    const waits = parts.some(({ name, rows }) => WAITING_PARTS.includes(name) || rows.some((row) => WAITING_FIELD in row));
    return !waits && [...all.values()].every(({ length }) => length > 0) ? all : undefined;
  };
  const services = stores.map(({ service }) => service).join(', ');
  return until(read, {
    within: SETTLED_WITHIN_MS,
    what: `all of ${services} to keep the forecast, and nothing of it to wait`,
    everyMs: 500,
  });
}

/**
 * Writes copies of a forecast into the stores, with all that the services keep of it: what they have written themselves is the model, so that its shape
 * is theirs. The copies differ in their numbers, in the names of their documents and in their age.
 */
export async function copyForecast(stores: readonly CopyStore[], original: ForecastNumbers, copies: number): Promise<void> {
  const kept = await readSettled(stores, original);
  const copierAt = copiersOf(
    marksOf(
      original,
      [...kept.values()].flat().flatMap(({ rows }) => rows),
    ),
  );
  let next = 1;
  await closedLoopOf(BATCHES_AT_ONCE, Math.ceil(copies / BATCH), async () => {
    const from = next;
    next += BATCH;
    const copiers = Array.from({ length: Math.min(BATCH, copies - from + 1) }, (_, at) => copierAt(from + at));
    const insertInto = async (store: CopyStore): Promise<void> => {
      for (const { name, rows } of kept.get(store) ?? []) {
        await store.insert(
          name,
          copiers.flatMap((copy) => rows.map(copy)),
        );
      }
    };
    await Promise.all(stores.map(insertInto));
  });
}
