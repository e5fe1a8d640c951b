import { AppError } from '@parcelway/kernel/app-error';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Known, Store, Stored, Write } from '@parcelway/store/store';
import { charactersOf } from '../domain/cell-characters.ts';
import {
  type HeldImport,
  type ImportEnd,
  type ImportJobs,
  type ImportName,
  type ImportReads,
  type ImportRecord,
  type ImportRemoval,
  type ImportRows,
  type ImportStore,
  type NewImport,
  type NewRow,
  type RowLimit,
  type StoredRow,
  TakenOver,
} from '../ports.ts';
import { importRows, imports } from './import-collections.ts';

type Import = NonNullable<(typeof imports)['document']>;
type Row = NonNullable<(typeof importRows)['document']>;

/** Pending rows of one query: they may be long. */
const AT_ONCE = 32;
/** Rows of their forecasts of one query. */
const LOOKED_AT = 128;
/** Rows that one write adds. */
const ADDED_AT_ONCE = 1000;

const keyOf = ({ tenantId, importId }: ImportName): readonly [string, string] => [tenantId, importId];

function recordOf({ seed: _seed, slot: _slot, running: _running, shown: _shown, ...record }: Import): ImportRecord {
  return record as ImportRecord;
}

function rowOf({ tenantId: _tenant, importId: _import, pendingOf: _pending, ...row }: Row): StoredRow {
  return row;
}

const newImport = (job: NewImport): Import => ({
  ...job,
  mapping: {},
  validateOnly: false,
  state: 'receiving',
  phase: 'waiting',
  attempt: 0,
  total: 0,
  accepted: 0,
  failed: 0,
  forecastsAccepted: 0,
  forecastsFailed: 0,
  columns: [],
  warnings: [],
  error: null,
  finishedAt: null,
});

/** Rows up to a limit: it ends with the row that reaches one of both. */
class LimitedRows {
  readonly rows: StoredRow[] = [];
  readonly #limit: RowLimit;
  #characters = 0;

  constructor(limit: RowLimit) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.rows.length >= this.#limit.rows || this.#characters >= this.#limit.characters;
  }

  add(row: StoredRow): void {
    this.rows.push(row);
    this.#characters += charactersOf(row.cells);
  }
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

async function find(store: Store, name: ImportName): Promise<Import | undefined> {
  return (await store.get(imports, keyOf(name)))?.value;
}

async function finish(store: Store, name: ImportName, { state, error, at }: ImportEnd, attempt?: number): Promise<boolean> {
  const end = { state, phase: 'finished', error, finishedAt: at, slot: undefined, running: undefined } as const;
  return (
    (await change(store, name, (one) => (one.state === 'running' && one.attempt === (attempt ?? one.attempt) ? end : undefined))) !==
    undefined
  );
}

/** Writes to an import that this process has. Of one that has ended meanwhile nothing is written. @throws TakenOver */
async function writeHeld(store: Store, held: HeldImport, set: Partial<Import>): Promise<void> {
  await change(store, held, (one) => {
    if (one.state !== 'running') return undefined;
    if (one.attempt !== held.attempt) throw new TakenOver();
    return set;
  });
}

async function ofSeed(store: Store, tenantId: string, seed: string): Promise<Import | undefined> {
  return (await store.find(imports.by.seed, { eq: [tenantId, seed], limit: 1 })).items[0]?.value;
}

async function unfinished(store: Store, tenantId: string): Promise<readonly Import[]> {
  const { items } = await store.find(imports.by.slot, { eq: [tenantId], limit: 1000 });
  return items.map(({ value }) => value).sort((a, b) => (a.importId < b.importId ? -1 : 1));
}

/** Begins and ends imports. */
function createJobs(store: Store): ImportJobs {
  return {
    async begin(job, most) {
      const { isBegun } = await untilWritten(async () => {
        if ((await find(store, job)) !== undefined) return { isBegun: true };
        const taken = new Set((await unfinished(store, job.tenantId)).map(({ slot }) => slot));
        const slot = Array.from({ length: most }, (_, place) => place).find((place) => !taken.has(place));
        if (slot === undefined || taken.size >= most) return { isBegun: false };
        const [outcome] = await store.apply([{ in: imports, insert: { ...newImport(job), slot } }]);
        return outcome?.kind === 'written' ? { isBegun: true } : undefined;
      });
      return isBegun;
    },

    async ready(name, choice, seed) {
      const { outcomes } = await store.change([{ in: imports, keys: [keyOf(name)] }], (known) => {
        const stored = known.get(imports, keyOf(name));
        if (stored?.value.state !== 'receiving') return { writes: [], result: undefined };
        const set: Partial<Import> = { ...choice, state: 'running', running: 1, shown: 1, ...(seed !== undefined && { seed }) };
        return { writes: [{ in: imports, patch: stored, set }], result: undefined };
      });
      const first = outcomes.some(({ kind }) => kind === 'taken') ? await ofSeed(store, name.tenantId, seed as string) : undefined;
      if (first !== undefined) return { kind: 'repeated', record: recordOf(first) };
      const record = await find(store, name);
      return record === undefined ? { kind: 'gone' } : { kind: 'ready', record: recordOf(record) };
    },

    async ofSeed(tenantId, seed) {
      const found = await ofSeed(store, tenantId, seed);
      return found && recordOf(found);
    },

    async take(name) {
      const taken = await change(store, name, ({ state, attempt }) => (state === 'running' ? { attempt: attempt + 1 } : undefined));
      return taken && recordOf(taken);
    },

    finish: (name, end) => finish(store, name, end),

    finishHeld: (held, end) => finish(store, held, end, held.attempt),

    async nextRunning(after) {
      return (await store.groups(imports.by.running, { eq: [1], after, limit: 1 }))[0]?.group as string | undefined;
    },

    unfinished: async (tenantId) => (await unfinished(store, tenantId)).map(recordOf),
  };
}

/** Imports as callers see them. */
function createReads(store: Store): ImportReads {
  return {
    async find(name) {
      const found = await find(store, name);
      return found === undefined || found.state === 'receiving' ? undefined : recordOf(found);
    },

    async list(tenantId, before, limit) {
      const { items } = await store.find(imports.by.shown, { eq: [tenantId, 1], limit, ...(before !== undefined && { to: before }) });
      return items.map(({ value }) => recordOf(value));
    },

    async rows({ tenantId, importId }, { state, after, limit }) {
      const page = { from: after + 1, limit };
      const { items } =
        state === undefined
          ? await store.find(importRows.by.all, { eq: [tenantId, importId], ...page })
          : await store.find(importRows.by.state, { eq: [tenantId, importId, state], ...page });
      return items.map(({ value }) => rowOf(value));
    },
  };
}

/** Stores rows of an import that this process has, those of them that are not there. @throws TakenOver */
async function addSome(store: Store, held: HeldImport, rows: readonly NewRow[], total: number): Promise<void> {
  const { tenantId, importId } = held;
  const keys = rows.map(({ row }) => [tenantId, importId, row] as const);
  const decide = (known: Known) => {
    const stored = known.get(imports, keyOf(held));
    if (stored?.value.state !== 'running') return { writes: [], result: undefined };
    if (stored.value.attempt !== held.attempt) throw new TakenOver();
    const added = rows.filter(({ row }) => known.get(importRows, [tenantId, importId, row]) === undefined);
    const inserts = added.map((row): Write<Row> => {
      const pending = { state: 'pending', forecastNo: null, errors: [], warnings: [], pendingOf: row.poNumber } as const;
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

/** The rows of imports that run. */
function createRows(store: Store): ImportRows {
  return {
    reading: (held, columns, warnings) => writeHeld(store, held, { phase: 'reading', columns, warnings }),

    submitting: (held, total, warnings) => writeHeld(store, held, { phase: 'submitting', total, warnings }),

    async addRows(held, rows, total) {
      for (let first = 0; first === 0 || first < rows.length; first += ADDED_AT_ONCE)
        await addSome(store, held, rows.slice(first, first + ADDED_AT_ONCE), total);
    },

    async pending({ tenantId, importId }, limit) {
      const rows = new LimitedRows(limit);
      let after: string | null | undefined;
      do {
        const place = after ? { after } : {};
        const page = await store.find(importRows.by.state, { eq: [tenantId, importId, 'pending'], limit: AT_ONCE, ...place });
        for (const { value } of page.items) {
          if (rows.isFull) return rows.rows;
          rows.add(rowOf(value));
        }
        after = page.next;
      } while (after !== null);
      return rows.rows;
    },

    async pendingOf({ tenantId, importId }, poNumbers, limit) {
      const rows = new LimitedRows(limit);
      let after: string | null | undefined;
      do {
        const place = after ? { after } : {};
        const page = await store.find(importRows.by.pending, { eq: [tenantId, importId], any: poNumbers, limit: LOOKED_AT, ...place });
        for (const { value } of page.items) {
          if (rows.isFull && value.poNumber !== rows.rows.at(-1)?.poNumber) return rows.rows;
          rows.add(rowOf(value));
        }
        after = page.next;
      } while (after !== null);
      return rows.rows;
    },

    async settle(held, outcomes, forecasts) {
      const keys = outcomes.map(({ row }) => [...keyOf(held), row]);
      const reads = [
        { in: imports, keys: [keyOf(held)] },
        { in: importRows, keys },
      ];
      await store.change(
        reads,
        (known) => {
          const stored = known.get(imports, keyOf(held));
          if (stored?.value.attempt !== held.attempt) throw new TakenOver();
          const settled = outcomes.flatMap(({ row: _row, ...result }, place): readonly Write<Row>[] => {
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
        },
        { together: true },
      );
    },
  };
}

/** Removes imports. */
function createRemoval(store: Store): ImportRemoval {
  return {
    async nextTenant(after) {
      return (await store.groups(imports.by.all, { after, limit: 1 }))[0]?.group as string | undefined;
    },

    async oldest(tenantId) {
      const { items } = await store.find(imports.by.all, { eq: [tenantId], limit: 1 });
      return items[0] && recordOf(items[0].value);
    },

    removeRows: ({ tenantId, importId }, limit) => store.deleteRange(importRows.by.all, { eq: [tenantId, importId], limit }),

    async remove(name) {
      const stored = await store.get(imports, keyOf(name));
      if (stored !== undefined) await store.apply([{ in: imports, delete: stored as Stored }], { overwrite: true });
    },

    async removeReceiving(name) {
      const stored = await store.get(imports, keyOf(name));
      if (stored?.value.state !== 'receiving') return false;
      const [outcome] = await store.apply([{ in: imports, delete: stored as Stored }]);
      return outcome?.kind === 'written';
    },
  };
}

/** Keeps imports and their rows. @param store with the import collections */
export function createImportStore(store: Store): ImportStore {
  return { ...createJobs(store), ...createReads(store), ...createRows(store), ...createRemoval(store) };
}
