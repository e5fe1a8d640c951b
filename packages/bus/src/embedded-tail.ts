import type { LogRecord } from './driver.ts';

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
