import { toAppError } from '@parcelway/kernel/app-error';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { MAX_BATCH, MAX_BATCH_BYTES } from './driver.ts';
import type { ReadRecord } from './read-record.ts';

/** Handles records, at least one, those of a partition in the order of the log. */
export type HandleRecords<T> = (records: readonly ReadRecord<T>[]) => Promise<void>;

/** A call that waits for its turn. */
interface Call<T> {
  readonly records: readonly ReadRecord<T>[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const bytesOf = <T>(records: readonly ReadRecord<T>[]): number =>
  records.reduce((sum, { record }) => sum + (record.value?.byteLength ?? 0), 0);

/**
 * Makes one call of many: what the partitions of a consumer bring while the handler works on the call before goes to it together, up to the size of
 * a batch. So a poll costs one read and one write of the store, however many partitions it has records of. A partition calls again only when its
 * call has ended, so its order stays.
 *
 * When a dependency is out, all calls that were merged fail with its error. After any other error each of them is made by itself, so that only the one
 * with the cause fails.
 */
export function mergeCalls<T>(handle: HandleRecords<T>): HandleRecords<T> {
  const queue: Call<T>[] = [];
  let isWorking = false;

  const take = (): readonly Call<T>[] => {
    let [count, records, bytes] = [0, 0, 0];
    for (const call of queue) {
      records += call.records.length;
      bytes += call.bytes;
      if (count > 0 && (records > MAX_BATCH || bytes > MAX_BATCH_BYTES)) break;
      count += 1;
    }
    return queue.splice(0, count);
  };

  const callAlone = async ({ records, resolve, reject }: Call<T>): Promise<void> => {
    try {
      await handle(records);
      resolve();
    } catch (error) {
      reject(error);
    }
  };

  const callTogether = async (calls: readonly Call<T>[]): Promise<void> => {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return callAlone(first);
    try {
      await handle(calls.flatMap(({ records }) => records));
    } catch (error) {
      if (consumerActionOf[toAppError(error).code] === 'retry') for (const { reject } of calls) reject(error);
      else for (const call of calls) await callAlone(call);
      return;
    }
    for (const { resolve } of calls) resolve();
  };

  const work = async (): Promise<void> => {
    isWorking = true;
    // The partitions of one poll come one after the other in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await callTogether(take());
    isWorking = false;
  };

  return (records) =>
    new Promise((resolve, reject) => {
      queue.push({ records, bytes: bytesOf(records), resolve, reject });
      if (!isWorking) void work();
    });
}
