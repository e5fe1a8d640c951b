/** What a closed loop did. */
export interface LoopResult {
  readonly done: number;
  readonly perSecond: number;
}

type Work = (worker: number) => Promise<void>;

async function loop(concurrency: number, hasMore: () => boolean, work: Work): Promise<LoopResult> {
  const started = performance.now();
  let done = 0;
  const run = async (worker: number): Promise<void> => {
    while (hasMore()) {
      await work(worker);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => run(worker)));
  return { done, perSecond: (done * 1000) / (performance.now() - started) };
}

/**
 * Works with constant concurrency for a time: each worker starts its next call when the last one ends.
 * @param work one piece; `worker` counts from 0. Whatever it throws ends the loop
 */
export function closedLoop(concurrency: number, milliseconds: number, work: Work): Promise<LoopResult> {
  const deadline = performance.now() + milliseconds;
  return loop(concurrency, () => performance.now() < deadline, work);
}

/** The same for a number of pieces instead of a time. */
export function closedLoopOf(concurrency: number, pieces: number, work: Work): Promise<LoopResult> {
  let left = pieces;
  return loop(concurrency, () => left-- > 0, work);
}

/**
 * Begins pieces of work at a steady rate, whether or not the ones before are done, and waits for all of them.
 * @param work one piece; `index` counts from 0
 */
export async function steadily(perSecond: number, pieces: number, work: (index: number) => Promise<void>): Promise<void> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  let failed: { readonly error: unknown } | undefined;
  while (running.length < pieces && failed === undefined) {
    const due = Math.min(pieces, Math.floor(((performance.now() - started) * perSecond) / 1000) + 1);
    while (running.length < due) {
      running.push(
        work(running.length).catch((error: unknown) => {
          failed ??= { error };
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed.error;
}
