import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { LogRecord, OutgoingRecord } from './driver.ts';

/** Records kept of one partition. */
const MAX_RECORDS = 256;
/** Bytes kept in all: beyond, everything is forgotten, and those who are that far behind read from the file. */
const MAX_BYTES = 8_000_000;
/** What a record costs besides its value, roughly. */
const RECORD_BYTES = 300;
/** Longer than any consumer that keeps up takes, and far shorter than anything is retained. */
const MAX_AGE_MS = 60_000;

/**
 * The records that were appended last, by partition, so that consumers which keep up are handed what is still in memory
 * instead of reading it back from the file. Holds only what is committed, without a gap; may forget at any time.
 */
export class RecordTail {
  readonly #partitions = new Map<string, LogRecord[]>();
  #bytes = 0;

  /** Adds a record that has just been committed. */
  add(record: LogRecord): void {
    const bytes = sizeOf(record);
    if (this.#bytes + bytes > MAX_BYTES) this.clear();
    if (bytes > MAX_BYTES) return;
    const kept = this.#of(record);
    const last = kept.at(-1);
    const expected = last ? Number(last.offset) + 1 : Number(record.offset);
    if (Number(record.offset) !== expected) this.#drop(kept, kept.length);
    // One that others were ahead of would be without them here.
    if (Number(record.offset) < expected) return;
    if (kept.length >= MAX_RECORDS) this.#drop(kept, MAX_RECORDS / 2);
    kept.push(record);
    this.#bytes += bytes;
  }

  /**
   * Records from offset `from` on, in order, at most `limit`, as far as they are here.
   * @param now by the clock that the records were stamped with
   * @returns undefined when the one at `from` is not here: then the file has to be asked
   */
  read(topic: string, partition: number, from: number, limit: number, now: number): LogRecord[] | undefined {
    const kept = this.#partitions.get(`${topic}\n${partition}`);
    const first = kept?.[0];
    if (!kept || !first) return undefined;
    const start = from - Number(first.offset);
    const wanted = kept[start];
    if (!wanted || now - wanted.timestamp > MAX_AGE_MS) return undefined;
    return kept.slice(start, start + limit);
  }

  /** Forgets everything. */
  clear(): void {
    this.#partitions.clear();
    this.#bytes = 0;
  }

  #of({ topic, partition }: LogRecord): LogRecord[] {
    const name = `${topic}\n${partition}`;
    let kept = this.#partitions.get(name);
    if (!kept) {
      kept = [];
      this.#partitions.set(name, kept);
    }
    return kept;
  }

  #drop(kept: LogRecord[], count: number): void {
    for (const record of kept.splice(0, count)) this.#bytes -= sizeOf(record);
  }
}

function sizeOf(record: LogRecord): number {
  return RECORD_BYTES + (record.value?.byteLength ?? 0);
}

/**
 * Schema of the embedded log. The table has the records in the order of their appends, so an append changes its last page.
 * `positions.next` is the first offset that a group has not finished. Its row exists from the moment the group subscribes, so
 * that retention knows it.
 */
export const embeddedLogSchema: readonly string[] = [
  `CREATE TABLE records (
     topic TEXT NOT NULL,
     partition INTEGER NOT NULL,
     "offset" INTEGER NOT NULL,
     key TEXT NOT NULL,
     value BLOB NOT NULL,
     headers TEXT,
     timestamp INTEGER NOT NULL,
     PRIMARY KEY (topic, partition, "offset")
   ) STRICT;
   CREATE TABLE positions (
     group_name TEXT NOT NULL,
     topic TEXT NOT NULL,
     partition INTEGER NOT NULL,
     next INTEGER NOT NULL,
     PRIMARY KEY (group_name, topic, partition)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX positions_by_topic ON positions (topic, partition, next);`,
];

interface RecordRow {
  readonly offset: number;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: string | null;
  readonly timestamp: number;
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Partition of a key: FNV-1a over its UTF-8 bytes, modulo the number of partitions. Stable for ever, because records of
 * one key must meet in one partition however old the file is.
 */
export function partitionOfKey(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % partitions;
}

/** The records of the embedded log: append and read, by topic, partition and offset. */
export class EmbeddedLog {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #partitions: number;
  /** `topic\npartition` → offset of the next record; read from the file when missing. */
  readonly #ends = new Map<string, number>();
  /** `topic\npartition` → offset behind the last record that is on the disk; all are where it is missing. */
  readonly #readable = new Map<string, number>();
  /** The ends are known since as much had been undone. */
  #rollbacks = 0;
  readonly #tail = new RecordTail();

  constructor(db: SqliteDatabase, clock: Clock, partitions: number) {
    this.#db = db;
    this.#clock = clock;
    this.#partitions = partitions;
  }

  /**
   * Appends a record; only inside a transaction of the file. It can be read once that is on the disk: what a consumer does with it may be seen outside.
   * @param appended called with its partition then
   */
  append(record: OutgoingRecord, appended: (partition: number) => void): void {
    const partition = partitionOfKey(record.key, this.#partitions);
    const placed = this.#insert(record, partition);
    this.#db.afterCommit(() => {
      this.#readable.set(`${record.topic}\n${partition}`, Number(placed.offset) + 1);
      this.#tail.add(placed);
      appended(partition);
    });
  }

  /** Records from `from` on, in order, at most `limit`. */
  read(topic: string, partition: number, from: number, limit: number): LogRecord[] {
    const recent = this.#tail.read(topic, partition, from, limit, this.#clock.now());
    if (recent) return recent;
    const end = this.#readable.get(`${topic}\n${partition}`) ?? Number.MAX_SAFE_INTEGER;
    // A consumer that has read everything asks once more before it waits.
    if (from >= end) return [];
    const rows = this.#db.all<RecordRow>(
      'SELECT "offset", key, value, headers, timestamp FROM records WHERE topic = ? AND partition = ? AND "offset" >= ? AND "offset" < ? ORDER BY "offset" LIMIT ?',
      topic,
      partition,
      from,
      end,
      limit,
    );
    return rows.map((row) => ({
      topic,
      partition,
      offset: String(row.offset),
      key: row.key,
      value: row.value,
      headers: row.headers === null ? NO_HEADERS : (JSON.parse(row.headers) as Record<string, string>),
      timestamp: row.timestamp,
    }));
  }

  /** Offset that the next record of a partition gets. */
  end(topic: string, partition: number): number {
    return this.#end(topic, partition);
  }

  /** Records of a partition from `from` on that still exist. */
  countFrom(topic: string, partition: number, from: number): number {
    const row = this.#db.get<{ first: number | null }>(
      'SELECT min("offset") AS first FROM records WHERE topic = ? AND partition = ?',
      topic,
      partition,
    );
    if (row?.first == null) return 0;
    return Math.max(0, this.#end(topic, partition) - Math.max(row.first, from));
  }

  /** @returns the record as it is read */
  #insert(record: OutgoingRecord, partition: number): LogRecord {
    const { topic, key } = record;
    if (record.value === null) throw new Error(`The embedded log compacts no topics, so ${topic} takes no tombstone`);
    const offset = this.#end(topic, partition);
    const name = `${topic}\n${partition}`;
    this.#ends.set(name, offset + 1);
    if (!this.#readable.has(name)) this.#readable.set(name, offset);
    const hasHeaders = record.headers !== undefined && Object.keys(record.headers).length > 0;
    // A copy in either case: the publisher may go on with its own.
    const value = typeof record.value === 'string' ? Buffer.from(record.value, 'utf8') : Buffer.from(record.value);
    const timestamp = this.#clock.now();
    this.#db.run(
      'INSERT INTO records (topic, partition, "offset", key, value, headers, timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)',
      topic,
      partition,
      offset,
      key,
      value,
      hasHeaders ? JSON.stringify(record.headers) : null,
      timestamp,
    );
    return { topic, partition, offset: String(offset), key, value, headers: hasHeaders ? { ...record.headers } : NO_HEADERS, timestamp };
  }

  /** Retention may have emptied the partition: then the positions show how far it had come. An offset is never given twice. */
  #end(topic: string, partition: number): number {
    if (this.#rollbacks !== this.#db.rollbacks) {
      // The offsets given out were rolled back with the rows.
      this.#ends.clear();
      this.#rollbacks = this.#db.rollbacks;
    }
    const known = this.#ends.get(`${topic}\n${partition}`);
    if (known !== undefined) return known;
    const row = this.#db.get<{ end: number }>(
      `SELECT max(
         coalesce((SELECT max("offset") + 1 FROM records WHERE topic = ?1 AND partition = ?2), 0),
         coalesce((SELECT max(next) FROM positions WHERE topic = ?1 AND partition = ?2), 0)) AS "end"`,
      topic,
      partition,
    );
    const end = row?.end ?? 0;
    this.#ends.set(`${topic}\n${partition}`, end);
    return end;
  }
}
