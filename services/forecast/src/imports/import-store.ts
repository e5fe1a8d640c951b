import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Known, Store, Stored, Write } from '@parcelway/store/store';
import { keepNewer } from '@parcelway/store/upsert';
import { charactersOf } from './domain/convert-cell.ts';
import type { ImportStop } from './domain/import-stop.ts';
import { type Import, type ImportRecord, type ImportRow, importRows, importStops, imports, type StoredRow } from './import-collections.ts';

/** Says that another process has taken an import: nothing was written, and who had it before leaves it alone. */
export class TakenOver extends Error {
  constructor() {
    super('Another process has taken the import');
  }
}

/** An import as it begins. */
export type NewImport = Pick<ImportRecord, 'tenantId' | 'importId' | 'fileName' | 'fileKey' | 'kind' | 'keyId' | 'createdAt'>;
/** What the fields of the upload's form say; known once the file has come. */
export type ImportChoice = Pick<ImportRecord, 'mapping' | 'validateOnly'>;
export type ImportName = Pick<ImportRecord, 'tenantId' | 'importId'>;
/** An import as one process has it: of those that took it, only the last one writes. */
export type HeldImport = ImportName & Pick<ImportRecord, 'attempt'>;

export interface ImportEnd extends Pick<ImportRecord, 'error'> {
  readonly state: Exclude<ImportRecord['state'], 'receiving'>;
  readonly at: number;
}

export type PendingRow = Pick<StoredRow, 'row' | 'poNumber' | 'cells'>;

export interface NewRow extends PendingRow {
  /** The first row of its forecast. */
  readonly first: number;
}

export interface RowOutcome extends Pick<StoredRow, 'row' | 'forecastNo' | 'errors' | 'warnings'> {
  readonly state: Exclude<StoredRow['state'], 'pending'>;
}

type SettledForecasts = Record<'accepted' | 'failed', number>;

export interface RowQuery {
  readonly state?: RowOutcome['state'];
  /** Only rows after it; 0 begins. */
  readonly after: number;
  readonly limit: number;
}

/** How much is read at a time: it ends with the row that reaches one of both. */
export interface RowLimit {
  readonly rows: number;
  readonly characters: number;
}

/** Pending rows of one query: they may be long. */
const AT_ONCE = 128;
/** Longer than an upload can take. */
const RECEIVED_WITHIN_MS = 3_600_000;
/** How long imports and their rows are kept. */
export const IMPORTS_KEPT_MS = 30 * 86_400_000;

const keyOf = ({ tenantId, importId }: ImportName): readonly [string, string] => [tenantId, importId];

const rowOf = ({ tenantId: _tenant, importId: _import, pendingOf: _pending, ...row }: ImportRow): StoredRow => row;

const newImport = (job: NewImport): Import => ({
  ...job,
  mapping: {},
  validateOnly: false,
  state: 'receiving',
  phase: 'waiting',
  attempt: 0,
  starts: 0,
  total: 0,
  accepted: 0,
  failed: 0,
  forecastsAccepted: 0,
  forecastsFailed: 0,
  columns: [],
  warnings: [],
  error: null,
  finishedAt: null,
  removeAt: job.createdAt + RECEIVED_WITHIN_MS,
});

async function read(store: Store, name: ImportName): Promise<Import | undefined> {
  return (await store.get(imports, keyOf(name)))?.value;
}

async function ofSeed(store: Store, tenantId: string, seed: string): Promise<ImportRecord | undefined> {
  const [found] = (await store.find(imports.by.seed, { eq: [tenantId, seed], limit: 1 })).items;
  return found?.value;
}

async function unfinished(store: Store, tenantId: string): Promise<readonly Import[]> {
  const { items } = await store.find(imports.by.slot, { eq: [tenantId], limit: 1000 });
  return items.map(({ value }) => value).sort((a, b) => (a.importId < b.importId ? -1 : 1));
}

/** Changes an import; `decide` returns undefined when nothing is to be changed. @returns the import after the change */
async function change(
  store: Store,
  name: ImportName,
  decide: (record: Import) => Partial<Import> | undefined,
): Promise<Import | undefined> {
  const { result } = await store.change([{ in: imports, keys: [keyOf(name)] }], (known) => {
    const stored = known.get(imports, keyOf(name));
    const set = stored && decide(stored.value);
    if (stored === undefined || set === undefined) return { writes: [], result: undefined };
    return { writes: [{ in: imports, patch: stored, set }], result: { ...stored.value, ...set } };
  });
  return result;
}

/** Stores those of some rows that are not there, durably. @param total rows read so far */
async function addRows(store: Store, held: HeldImport, rows: readonly NewRow[], total: number): Promise<void> {
  const { tenantId, importId } = held;
  const keys = rows.map(({ row }) => [tenantId, importId, row] as const);
  const decide = (known: Known) => {
    const stored = known.get(imports, keyOf(held));
    if (stored?.value.state !== 'running') return { writes: [], result: undefined };
    if (stored.value.attempt !== held.attempt) throw new TakenOver();
    const added = rows.filter(({ row }) => known.get(importRows, [tenantId, importId, row]) === undefined);
    const inserts = added.map(({ first, ...row }): Write<ImportRow> => {
      const pending = { state: 'pending', forecastNo: null, errors: [], warnings: [], pendingOf: first } as const;
      return { in: importRows, insert: { tenantId, importId, ...row, ...pending } };
    });
    const counted: Write<Import> = { in: imports, patch: stored, set: { total } };
    return { writes: [counted, ...inserts] as readonly Write[], result: undefined };
  };
  const reads = [
    { in: imports, keys: [keyOf(held)] },
    { in: importRows, keys },
  ];
  await store.change(reads, decide, { together: true });
}

/**
 * Writes the results of rows, and counts them, in one durable step. When all of them have a result already, an earlier try has got through: nothing changes.
 * @param outcomes at least one
 * @param forecasts how many the rows are of
 * @throws AppError 50301 also when some of the rows have a result already: then none is written
 */
async function settle(store: Store, held: HeldImport, outcomes: readonly RowOutcome[], forecasts: SettledForecasts): Promise<void> {
  const keys = outcomes.map(({ row }) => [...keyOf(held), row]);
  const reads = [
    { in: imports, keys: [keyOf(held)] },
    { in: importRows, keys },
  ];
  const decide = (known: Known) => {
    const stored = known.get(imports, keyOf(held));
    if (stored?.value.attempt !== held.attempt) throw new TakenOver();
    const settled = outcomes.flatMap(({ row: _row, ...result }, place): readonly Write<ImportRow>[] => {
      const row = known.get(importRows, keys[place] as readonly (string | number)[]);
      return row?.value.state === 'pending' ? [{ in: importRows, patch: row, set: { ...result, pendingOf: undefined } }] : [];
    });
    // An earlier try has got through.
    if (settled.length === 0) return { writes: [], result: undefined };
    if (settled.length < outcomes.length) throw AppError.unavailable('A row of the import has a result already');
    const { accepted, failed, forecastsAccepted, forecastsFailed } = stored.value;
    const won = outcomes.filter(({ state }) => state === 'accepted').length;
    const set = {
      accepted: accepted + won,
      failed: failed + outcomes.length - won,
      forecastsAccepted: forecastsAccepted + forecasts.accepted,
      forecastsFailed: forecastsFailed + forecasts.failed,
    };
    const counted: Write<Import> = { in: imports, patch: stored, set };
    return { writes: [counted, ...settled] as readonly Write[], result: undefined };
  };
  await store.change(reads, decide, { together: true });
}

/** Begins and ends imports. */
const createJobs = (store: Store) => ({
  /** Adds an import that is `receiving`, durably; the same again changes nothing. @returns false when the tenant has `most` other unfinished ones */
  async begin(job: NewImport, most: number): Promise<boolean> {
    const { isBegun } = await untilWritten(async () => {
      if ((await read(store, job)) !== undefined) return { isBegun: true };
      const taken = new Set((await unfinished(store, job.tenantId)).map(({ slot }) => slot));
      const slot = Array.from({ length: most }, (_, place) => place).find((place) => !taken.has(place));
      if (slot === undefined || taken.size >= most) return { isBegun: false };
      const [outcome] = await store.apply([{ in: imports, insert: { ...newImport(job), slot } }]);
      return outcome?.kind === 'written' ? { isBegun: true } : undefined;
    });
    return isBegun;
  },

  /**
   * Lets an import begin whose file is stored; the same again changes nothing, and gives the import as it is then.
   * @param seed the same for every attempt at a request; undefined when it has no idempotency key
   * @returns the import of an earlier attempt, if there is one: discard this one then. Undefined if this one is gone
   */
  async ready(name: ImportName, choice: ImportChoice, seed: string | undefined): Promise<ImportRecord | undefined> {
    const { outcomes } = await store.change([{ in: imports, keys: [keyOf(name)] }], (known) => {
      const stored = known.get(imports, keyOf(name));
      if (stored?.value.state !== 'receiving') return { writes: [], result: undefined };
      const removeAt = stored.value.createdAt + IMPORTS_KEPT_MS;
      const set: Partial<Import> = { ...choice, state: 'running', running: 1, shown: 1, removeAt, ...(seed !== undefined && { seed }) };
      return { writes: [{ in: imports, patch: stored, set }], result: undefined };
    });
    const first = outcomes.some(({ kind }) => kind === 'taken') ? await ofSeed(store, name.tenantId, seed as string) : undefined;
    return first ?? read(store, name);
  },

  /** The import that the attempts at a request have made; undefined when there is none. */
  ofSeed: (tenantId: string, seed: string) => ofSeed(store, tenantId, seed),

  /** Takes a running import to work on it, durably. Whoever had it before cannot write any more. @returns undefined when it does not run */
  async take(name: ImportName): Promise<ImportRecord | undefined> {
    return change(store, name, ({ state, attempt }) => (state === 'running' ? { attempt: attempt + 1 } : undefined));
  },

  /** Writes how far an import has come that this process has. Of one that has ended meanwhile nothing is written. */
  async note(held: HeldImport, set: Partial<Pick<ImportRecord, 'phase' | 'columns' | 'warnings' | 'total' | 'starts'>>): Promise<void> {
    await change(store, held, (one) => {
      if (one.state !== 'running') return undefined;
      if (one.attempt !== held.attempt) throw new TakenOver();
      return set;
    });
  },

  /** Ends a running import. @param attempt only when no other process has taken it since @returns false when it does not run */
  async finish(name: ImportName, { state, error, at }: ImportEnd, attempt?: number): Promise<boolean> {
    const end = { state, phase: 'finished', error, finishedAt: at, slot: undefined, running: undefined } as const;
    const changed = await change(store, name, (one) =>
      one.state === 'running' && one.attempt === (attempt ?? one.attempt) ? end : undefined,
    );
    return changed !== undefined;
  },

  /** The first tenants with a running import, in the order of ids. */
  tenantsRunning: async (limit: number): Promise<readonly string[]> =>
    (await store.groups(imports.by.running, { eq: [1], limit })).map(({ group }) => String(group)),

  /** Unfinished imports of a tenant, oldest first; there are few. */
  unfinished: (tenantId: string): Promise<readonly ImportRecord[]> => unfinished(store, tenantId),
});

/** Imports as callers see them. */
const createReads = (store: Store) => ({
  /** An import as callers see it: undefined also while it is `receiving`. */
  async find(name: ImportName): Promise<ImportRecord | undefined> {
    const found = await read(store, name);
    return found?.state === 'receiving' ? undefined : found;
  },

  /** Newest first, without those that are `receiving`. @param before only those older than this import; undefined begins */
  async list(tenantId: string, before: string | undefined, limit: number): Promise<readonly ImportRecord[]> {
    const { items } = await store.find(imports.by.shown, { eq: [tenantId, 1], limit, ...(before !== undefined && { to: before }) });
    return items.map(({ value }) => value);
  },

  /** Rows in their order. */
  async rows({ tenantId, importId }: ImportName, { state, after, limit }: RowQuery): Promise<readonly StoredRow[]> {
    const page = { from: after + 1, limit };
    const { items } =
      state === undefined
        ? await store.find(importRows.by.all, { eq: [tenantId, importId], ...page })
        : await store.find(importRows.by.state, { eq: [tenantId, importId, state], ...page });
    return items.map(({ value }) => rowOf(value));
  },
});

const createRows = (store: Store) => ({
  addRows: (held: HeldImport, rows: readonly NewRow[], total: number) => addRows(store, held, rows, total),

  /** The first rows without a result: forecasts in the order of their first rows, each with all its rows, up to the one that reaches the limit. */
  async pending({ tenantId, importId }: ImportName, limit: RowLimit): Promise<readonly PendingRow[]> {
    const rows: StoredRow[] = [];
    let characters = 0;
    let after: string | null | undefined;
    do {
      const page = await store.find(importRows.by.pending, { eq: [tenantId, importId], limit: AT_ONCE, ...(after && { after }) });
      for (const { value } of page.items) {
        const isFull = rows.length >= limit.rows || characters >= limit.characters;
        if (isFull && (value.poNumber === '' || value.poNumber !== rows.at(-1)?.poNumber)) return rows;
        rows.push(rowOf(value));
        characters += charactersOf(value.cells);
      }
      after = page.next;
    } while (after !== null);
    return rows;
  },

  settle: (held: HeldImport, outcomes: readonly RowOutcome[], forecasts: SettledForecasts) => settle(store, held, outcomes, forecasts),
});

const createRemoval = (store: Store) => ({
  /** Imports whose time is over, and those of uploads that ended early. */
  over: async (now: number, limit: number): Promise<readonly ImportRecord[]> =>
    (await store.find(imports.by.over, { eq: [], to: now, limit })).items.map(({ value }) => value),

  /** Deletes rows of an import. @returns how many; `limit` at most */
  removeRows: ({ tenantId, importId }: ImportName, limit: number) =>
    store.deleteRange(importRows.by.all, { eq: [tenantId, importId], limit }),

  /** Deletes an import that has no rows, if it is in `state`. @returns false if no such import exists */
  async remove(name: ImportName, state?: 'receiving'): Promise<boolean> {
    const stored = await store.get(imports, keyOf(name));
    if (stored === undefined || (state !== undefined && stored.value.state !== state)) return false;
    const [outcome] = await store.apply([{ in: imports, delete: stored as Stored }]);
    return outcome?.kind === 'written';
  },
});

export type ImportStore = ReturnType<typeof createImportStore>;

/**
 * Keeps imports and their rows. Each method throws AppError 50301 when the store is out; those of a held import throw TakenOver when another process has
 * taken it.
 * @param store with the import collections
 */
export const createImportStore = (store: Store) => ({
  ...createJobs(store),
  ...createReads(store),
  ...createRows(store),
  ...createRemoval(store),
});

export type ImportStops = ReturnType<typeof createImportStops>;

/** Keeps what has stopped imports lately, for uploads that are under way. Each method throws AppError 50301 when the store is out. */
export function createImportStops(store: Store) {
  return {
    /** Notes a stop, durably. Of several of one key, or of one tenant as a whole, the latest counts. @param now until when it is kept follows from it */
    note: ({ tenantId, keyId, at }: ImportStop, now: number): Promise<void> =>
      keepNewer(store, importStops, { tenantId, keyId: keyId ?? '', version: at, notedAt: now }),

    async of(tenantId: string, keyId: string): Promise<readonly ImportStop[]> {
      const found = await store.read(importStops, [
        [tenantId, ''],
        [tenantId, keyId],
      ]);
      return found.map(({ value }) => ({ tenantId, keyId: value.keyId || null, at: value.version }));
    },
  };
}

/**
 * Writes, and retries after each pause while the store is out. The write must be repeatable: it may have happened, and only its response was lost.
 * @throws AppError 50301 when the store is still out after the last pause; any other error of `write` at once
 */
export async function writeAgain<T>(pausesMs: readonly number[], write: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.httpStatus !== 503) throw error;
    }
    await pause(pauseMs);
  }
  return write();
}
