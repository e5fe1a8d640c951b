import type { SqlValue } from '../database.ts';
import type { Queryable } from './filled-store.ts';

/** An instruction of the program that SQLite runs for a statement (sqlite.org/opcode.html). */
export interface Instruction {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
}

/** A table or an index, and the table that it belongs to. */
interface StoredObject {
  readonly name: string;
  readonly table: string;
}

/** A loop over the rows of a cursor: from `start` to the instruction at `end` that moves to the next row. */
export interface Loop {
  readonly cursor: number;
  /** The table or index that the cursor is on; undefined for JSON elements, sorted rows and lists, which are no stored rows. */
  readonly over: string | undefined;
  /** The table whose rows these are; of a list, the one that it was read from. */
  readonly table: string | undefined;
  readonly start: number;
  readonly end: number;
}

const NEXT_ROW = new Set(['Next', 'Prev', 'SorterNext', 'VNext']);

/** Instructions that may go on at `p2` instead of at the next one. */
const CONDITIONAL = new Set(
  `ElseEq Eq Filter FkIfZero Found Ge Gt IdxGE IdxGT IdxLE IdxLT If IfEmpty IfNoHope IfNot IfNotOpen IfNotZero IfNullRow IfPos IfSizeBetween IsNull
   IsType Last Le Lt MustBeInt Ne Next NoConflict NotExists NotFound NotNull Once Prev Program Rewind RowSetRead RowSetTest SeekGE SeekGT SeekLE SeekLT
   SeekRowid SeekScan Sort SorterNext SorterSort VFilter VNext Yield DecrJumpZero`.split(/\s+/),
);
/** Look-ups by which the row of an index entry is found. */
const OWN_ROW = new Set(['NotExists', 'NotFound']);
/** Look-ups by which the rows of a list are found. */
const OF_LIST = new Set(['SeekRowid', 'SeekGE', 'SeekLE', 'IdxGT', 'IdxLT']);
const UNCONDITIONAL = new Set(['Goto', 'Init', 'InitCoroutine']);

/** Where a way has come to, and which outer joins have found a row by then: their registers. */
interface Place {
  readonly addr: number;
  readonly matched: readonly number[];
}

const nameOf = ({ addr, matched }: Place): string => `${addr} ${matched.join()}`;

/** The programs of a statement: its own, then those of foreign keys and triggers that it runs. */
export function programsOf(db: Queryable, sql: string, values: readonly SqlValue[]): Program[] {
  const objects = db.all<StoredObject & { rootpage: number }>('SELECT rootpage, name, tbl_name AS "table" FROM sqlite_master');
  const byRoot = new Map(objects.map((one) => [one.rootpage, one]));
  const parts: Instruction[][] = [];
  for (const instruction of db.all<Instruction>(`EXPLAIN ${sql}`, ...values)) {
    if (instruction.addr === 0) parts.push([]);
    parts.at(-1)?.push(instruction);
  }
  return parts.map((instructions) => new Program(instructions, byRoot));
}

/** A program with its loops and the ways through it. */
export class Program {
  readonly instructions: readonly Instruction[];
  readonly loops: readonly Loop[];
  /** What cursors are on. */
  readonly #stored = new Map<number, StoredObject>();
  /** Registers that say whether an outer join has found a row. */
  readonly #flags: ReadonlySet<number>;

  /** @param byRoot root page → table or index */
  constructor(instructions: readonly Instruction[], byRoot: ReadonlyMap<number, StoredObject>) {
    this.instructions = instructions;
    const set = new Set(instructions.flatMap(({ opcode, p1, p2 }) => (opcode === 'Integer' && p1 === 0 ? p2 : [])));
    this.#flags = new Set(instructions.flatMap(({ opcode, p1 }) => (opcode === 'IfPos' && set.has(p1) ? p1 : [])));
    for (const { opcode, p1, p2 } of instructions) {
      const object = opcode === 'OpenRead' || opcode === 'OpenWrite' || opcode === 'ReopenIdx' ? byRoot.get(p2) : undefined;
      if (object) this.#stored.set(p1, object);
    }
    this.loops = instructions
      .filter(({ opcode }) => NEXT_ROW.has(opcode))
      .map(({ addr, p1, p2 }) => ({
        cursor: p1,
        over: this.#stored.get(p1)?.name,
        table: this.#stored.get(p1)?.table,
        start: p2,
        end: addr,
      }))
      .map((loop, _, loops) => ({ ...loop, table: loop.table ?? this.#sourceOf(loop.cursor, loops) }));
  }

  /** The instructions of a loop. */
  bodyOf(loop: Loop): readonly Instruction[] {
    return this.instructions.slice(loop.start, loop.end);
  }

  /**
   * What may run between an instruction of a loop and the loop's end, within the loop.
   * @param from address where the ways begin
   * @param isBlocked ends every way through such an instruction
   * @returns instructions on the ways that come to the end; none when none does
   */
  waysToEnd(loop: Loop, from: number, isBlocked: (instruction: Instruction) => boolean): readonly Instruction[] {
    const cameFrom = new Map<string, Place[]>();
    const ends: Place[] = [];
    const waiting: Place[] = [{ addr: from, matched: [] }];
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      if (place.addr === loop.end) ends.push(place);
      const instruction = this.instructions[place.addr] as Instruction;
      if (place.addr === loop.end || isBlocked(instruction)) continue;
      for (const next of this.#after(instruction, place, loop)) {
        if (next.addr < loop.start || next.addr > loop.end) continue;
        const known = cameFrom.get(nameOf(next));
        if (known) known.push(place);
        else {
          cameFrom.set(nameOf(next), [place]);
          waiting.push(next);
        }
      }
    }
    return this.#backFrom(ends, cameFrom);
  }

  /** Instructions of a subroutine that begins at an address. */
  subroutineAt(addr: number): readonly Instruction[] {
    const end = this.instructions.findIndex((one) => one.addr >= addr && one.opcode === 'Return');
    return this.instructions.slice(addr, end + 1);
  }

  #after({ addr, opcode, p1, p2, p3 }: Instruction, { matched }: Place, loop: Loop): readonly Place[] {
    const at = (...addresses: readonly number[]): Place[] => addresses.map((one) => ({ addr: one, matched }));
    if (opcode === 'Integer' && this.#flags.has(p2)) {
      const others = matched.filter((flag) => flag !== p2);
      return [{ addr: addr + 1, matched: p1 > 0 ? [...others, p2].sort((a, b) => a - b) : others }];
    }
    if (opcode === 'IfPos' && this.#flags.has(p1)) return at(matched.includes(p1) ? p2 : addr + 1);
    if (this.#alwaysFinds(opcode, p1, loop)) return at(addr + 1);
    if (UNCONDITIONAL.has(opcode)) return at(p2);
    if (opcode === 'Jump') return at(addr + 1, p2, p3);
    if (opcode === 'Halt' || (opcode === 'Return' && p3 === 0)) return [];
    return CONDITIONAL.has(opcode) ? at(addr + 1, p2) : at(addr + 1);
  }

  /** Whether an instruction finds the row that an entry of an index, or of a list, was made from: that is always there. */
  #alwaysFinds(opcode: string, cursor: number, loop: Loop): boolean {
    const isList = loop.over === undefined;
    if (isList && opcode === 'IsNull') return true;
    const isOwn = loop.table !== undefined && this.#stored.get(cursor)?.table === loop.table;
    return isOwn && (OWN_ROW.has(opcode) || (isList && OF_LIST.has(opcode)));
  }

  /** The table that a list is filled from. */
  #sourceOf(cursor: number, loops: readonly Loop[]): string | undefined {
    const isFilled = (loop: Loop): boolean => this.bodyOf(loop).some(({ opcode, p1 }) => opcode === 'IdxInsert' && p1 === cursor);
    return loops.find((loop) => loop.over !== undefined && isFilled(loop))?.table;
  }

  #backFrom(ends: readonly Place[], cameFrom: ReadonlyMap<string, readonly Place[]>): readonly Instruction[] {
    const seen = new Set<string>();
    const found = new Set<Instruction>();
    const waiting = [...ends];
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      if (seen.has(nameOf(place))) continue;
      seen.add(nameOf(place));
      found.add(this.instructions[place.addr] as Instruction);
      waiting.push(...(cameFrom.get(nameOf(place)) ?? []));
    }
    return [...found];
  }
}
