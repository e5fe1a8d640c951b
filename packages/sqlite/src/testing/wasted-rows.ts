import type { SqlValue } from '../database.ts';
import type { Queryable } from './filled-store.ts';
import { type Instruction, type Loop, type Program, programsOf } from './program.ts';

/** What a row that was read is read for: it is returned, passed on, written, or counts for a LIMIT. */
const USES = new Set([
  'ResultRow',
  'Insert',
  'Delete',
  'IdxInsert',
  'IdxDelete',
  'SorterInsert',
  'RowSetAdd',
  'Yield',
  'FkCounter',
  'DecrJumpZero',
]);
const PASSED_ON = new Set(['Yield', 'Insert', 'IdxInsert', 'SorterInsert']);
const AGGREGATES = new Set(['AggStep', 'AggStep1']);
const SEEKS = new Set(['SeekGE', 'SeekGT', 'SeekLE', 'SeekLT']);
/** A comparison of rows, as in `(created_at, id) < (?, ?)`. */
const ROW_COMPARISON = /\)\s*[<>]=?\s*\(/;

function isUsed(program: Program, { opcode, p2 }: Instruction): boolean {
  if (USES.has(opcode) || AGGREGATES.has(opcode)) return true;
  return opcode === 'Gosub' && program.subroutineAt(p2).some((inner) => isUsed(program, inner));
}

/** The instruction by which a loop begins: a seek, or else it begins at an end of the table. */
function entryOf(program: Program, loop: Loop): Instruction | undefined {
  return program.instructions
    .slice(0, loop.start)
    .findLast(({ opcode, p1 }) => p1 === loop.cursor && (SEEKS.has(opcode) || opcode === 'Rewind' || opcode === 'Last'));
}

/**
 * True when a row is refused by columns alone that the seek is bound by: SQLite compares rows once more after it has used the comparison to find the
 * first, and refuses none but that.
 */
function repeatsBound(program: Program, loop: Loop, ways: readonly Instruction[], sql: string): boolean {
  const entry = entryOf(program, loop);
  if (!entry || !SEEKS.has(entry.opcode) || !ROW_COMPARISON.test(sql)) return false;
  const bound = Number(entry.p4);
  return ways.every(({ opcode, p1, p2 }) => {
    if (opcode === 'Column') return p1 === loop.cursor && p2 < bound;
    if (opcode === 'IdxRowid') return p1 === loop.cursor && bound > columnsOf(program, loop.cursor);
    return opcode !== 'Rowid' && opcode !== 'NotExists' && opcode !== 'SeekRowid' && !SEEKS.has(opcode);
  });
}

/** Columns of an index before the row id, from the key of its cursor: `k(3,,,)` has two and the row id. */
function columnsOf(program: Program, cursor: number): number {
  const open = program.instructions.find(({ opcode, p1 }) => p1 === cursor && opcode.startsWith('Open'));
  return Number(/^k\((\d+)/.exec(open?.p4 ?? '')?.[1] ?? Number.POSITIVE_INFINITY) - 1;
}

/** Rows that a subquery has read to find others by: what goes through them must use each. */
function wasteOfList(program: Program, loop: Loop): string[] {
  const ways = program.waysToEnd(loop, loop.start, (instruction) => isUsed(program, instruction));
  return ways.length > 0 ? [`reads a list of ${loop.table} and drops some`] : [];
}

function wasteOfLoop(program: Program, loop: Loop, sql: string): string[] {
  // The least or greatest of an index: the loop ends with its first row.
  if (program.waysToEnd(loop, loop.start, () => false).length === 0) return [];
  const found: string[] = [];
  const body = program.bodyOf(loop);
  const ways = program.waysToEnd(loop, loop.start, (instruction) => isUsed(program, instruction));
  if (ways.length > 0 && !repeatsBound(program, loop, ways, sql)) found.push(`reads rows of ${loop.over} and drops them`);
  const sums = body.some((one) => AGGREGATES.has(one.opcode) && program.waysToEnd(loop, one.addr + 1, () => false).length > 0);
  if (sums) found.push(`sums up rows of ${loop.over}`);
  const entry = entryOf(program, loop);
  const ends = body.some(({ opcode }) => opcode === 'DecrJumpZero');
  if (!(entry && SEEKS.has(entry.opcode)) && !ends) found.push(`goes through all of ${loop.over}`);
  return found;
}

/** Loops whose rows are summed up elsewhere, after they were sorted or passed on by a subquery. */
function summedLater(program: Program): readonly Loop[] {
  const loops = program.loops.filter(({ over }) => over !== undefined);
  const isWithin = ({ addr }: Instruction): boolean => loops.some(({ start, end }) => start <= addr && addr < end);
  if (!program.instructions.some((one) => AGGREGATES.has(one.opcode) && !isWithin(one))) return [];
  return loops.filter((loop) => program.bodyOf(loop).some(({ opcode }) => PASSED_ON.has(opcode)));
}

function wasteOf(program: Program, sql: string): string[] {
  const found = program.loops.flatMap((loop) => {
    // SQLite's own tables have a row per table.
    if (loop.table === undefined || loop.table.startsWith('sqlite_')) return [];
    return loop.over === undefined ? wasteOfList(program, loop) : wasteOfLoop(program, loop, sql);
  });
  found.push(...summedLater(program).map(({ over }) => `sums up rows of ${over}`));
  for (const { opcode } of program.instructions) {
    if (opcode === 'OpenAutoindex') found.push('builds an index for itself');
    // Only with a LIMIT is a list sorted that is no sorter.
    if (opcode === 'Sort') found.push('sorts before it stops at its LIMIT');
    if (opcode === 'OffsetLimit') found.push('skips rows by OFFSET');
    if (opcode === 'Count') found.push('counts all rows of a table');
  }
  return found;
}

/**
 * In what a statement reads more stored rows than it returns or writes, as SQLite plans it now.
 *
 * Seen from the program that SQLite makes of the statement: a loop over a table or an index must use every row that it reads. One that has
 * a way to its next row past every use drops rows by a condition that no index serves, by a join that finds nothing, or by `DISTINCT`; how many
 * depends on the data, so none is allowed, however few there are in a test. One that finds at most one row is no loop.
 * Elements of a JSON value are no stored rows: they are the caller's.
 * @returns none when there is nothing to say
 */
export function wastedRows(db: Queryable, sql: string, values: readonly SqlValue[] = []): string[] {
  const found = programsOf(db, sql, values).flatMap((program) => wasteOf(program, sql));
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail);
  if (plan.some((step) => step.includes('ANY('))) found.push('skips through an index whose first column is not given');
  return [...new Set(found)];
}
