import { toAppError } from '@parcelway/kernel/app-error';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { type LogRecord, MAX_BATCH, MAX_BATCH_BYTES } from './driver.ts';

/** A record and what was read from it. */
export interface ReadRecord<T> {
  readonly record: LogRecord;
  readonly content: T;
}

/** Names the partition of a record. */
export const partitionName = ({ topic, partition }: LogRecord): string => `${topic}\n${partition}`;

/** Handles records, at least one, those of a partition in the order of the log. */
export type HandleRecords<T> = (records: readonly ReadRecord<T>[]) => Promise<void>;

/** A call that takes longer, in milliseconds, keeps no other partition waiting: the next call begins beside it. */
const SLOW_MS = 1000;

/** A call that was not made, because its partition is about to go or the consumer stops. */
export class WithdrawnCall extends Error {
  constructor() {
    super('The call was withdrawn before it was made');
  }
}

/** A call that waits for its turn. */
interface Call<T> {
  readonly records: readonly ReadRecord<T>[];
  readonly signal: AbortSignal | undefined;
  /** Name of the partition that the records are from. */
  readonly partition: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const bytesOf = <T>(records: readonly ReadRecord<T>[]): number =>
  records.reduce((sum, { record }) => sum + (record.value?.byteLength ?? 0), 0);

/** How many of the calls that wait, from the first on, are together no larger than a batch; at least one. */
function fitting<T>(queue: readonly Call<T>[]): number {
  let [count, records, bytes] = [0, 0, 0];
  for (const call of queue) {
    records += call.records.length;
    bytes += call.bytes;
    if (count > 0 && (records > MAX_BATCH || bytes > MAX_BATCH_BYTES)) break;
    count += 1;
  }
  return count;
}

/** Resolves when `work`, which does not fail, has ended, or after {@link SLOW_MS}. */
const endedOrSlow = (work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Makes one call of many: what the partitions of a consumer bring while the handler works on the call before goes to it together, up to the size of
 * a batch. So a poll costs one read and one write of the store, however many partitions it has records of. A partition calls again only when its
 * call has ended, so its order stays.
 *
 * One partition does not hold up the others for long:
 *
 * - When a dependency is out, all calls that were merged fail with its error. After any other error each of them is made by itself, so that only the
 *   one with the cause fails.
 * - After a call that failed, and beside one that takes longer than {@link SLOW_MS}, each of its partitions calls by itself until one of its calls
 *   has succeeded. Calls that succeed slowly are merged on: a slow store gets no more calls than a quick one.
 * - A call that waits does not wait for a slow one: it begins beside it. So there are at most as many calls at once as there are partitions.
 */
export function mergeCalls<T>(handle: HandleRecords<T>) {
  let queue: Call<T>[] = [];
  /** Partitions that call by themselves. */
  const apart = new Set<string>();
  let isWorking = false;
  let isHalted = false;

  /** Calls the handler, and notes which partitions call by themselves from then on. */
  const make = async (calls: readonly Call<T>[]): Promise<void> => {
    const setApart = (): void => {
      for (const { partition } of calls) apart.add(partition);
    };
    const timer = setTimeout(setApart, SLOW_MS);
    try {
      await handle(calls.flatMap(({ records }) => records));
      for (const { partition } of calls) apart.delete(partition);
    } catch (error) {
      setApart();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const isWithdrawn = ({ signal }: Call<T>): boolean => isHalted || signal?.aborted === true;

  /** Rejects those of the calls that wait which are withdrawn. */
  const withdraw = (): void => {
    const withdrawn = queue.filter(isWithdrawn);
    queue = queue.filter((call) => !isWithdrawn(call));
    for (const { reject } of withdrawn) reject(new WithdrawnCall());
  };

  const callAlone = async (call: Call<T>): Promise<void> => {
    if (isWithdrawn(call)) return call.reject(new WithdrawnCall());
    try {
      await make([call]);
      call.resolve();
    } catch (error) {
      call.reject(error);
    }
  };

  const callTogether = async (calls: readonly Call<T>[]): Promise<void> => {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return callAlone(first);
    try {
      await make(calls);
    } catch (error) {
      if (consumerActionOf[toAppError(error).code] === 'retry') for (const { reject } of calls) reject(error);
      else await Promise.all(calls.map(callAlone));
      return;
    }
    for (const { resolve } of calls) resolve();
  };

  const work = async (): Promise<void> => {
    isWorking = true;
    while (queue.length > 0) {
      // The partitions of one poll, and those whose call has just ended, come one after the other in the same turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const calls = queue.splice(0, fitting(queue));
      if (calls.length > 0) await endedOrSlow(callTogether(calls));
    }
    isWorking = false;
  };

  const wait = (call: Call<T>): void => {
    call.signal?.addEventListener('abort', withdraw, { once: true });
    queue.push(call);
    if (!isWorking) void work();
  };

  return {
    /**
     * Calls the handler.
     * @param signal of the partition: once it is aborted, a call that waits is not made
     * @throws WithdrawnCall when the call was not made; whatever else the handler throws
     */
    call: (records: readonly ReadRecord<T>[], signal?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const partition = partitionName((records[0] as ReadRecord<T>).record);
        const call = { records, signal, partition, bytes: bytesOf(records), resolve, reject };
        if (apart.has(partition) || isWithdrawn(call)) void callAlone(call);
        else wait(call);
      }),
    /** Makes no further call: those that wait, and all later ones, are withdrawn. */
    halt(): void {
      isHalted = true;
      withdraw();
    },
  };
}
