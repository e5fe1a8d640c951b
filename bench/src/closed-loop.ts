/** What a closed loop did. */
export interface LoopResult {
  readonly done: number;
  readonly perSecond: number;
}

/**
 * Works with constant concurrency for a time: each worker begins its next piece of work when the last one is done. Each does one at least.
 * @param work one piece; `worker` counts from 0. Whatever it throws ends the loop
 */
export async function closedLoop(concurrency: number, milliseconds: number, work: (worker: number) => Promise<void>): Promise<LoopResult> {
  const started = performance.now();
  const deadline = started + milliseconds;
  let done = 0;
  const run = async (worker: number): Promise<void> => {
    do {
      await work(worker);
      done += 1;
    } while (performance.now() < deadline);
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => run(worker)));
  return { done, perSecond: (done * 1000) / (performance.now() - started) };
}

/** The same for a number of pieces instead of a time. */
export async function closedLoopOf(concurrency: number, pieces: number, work: (worker: number) => Promise<void>): Promise<LoopResult> {
  const started = performance.now();
  let begun = 0;
  const run = async (worker: number): Promise<void> => {
    while (begun < pieces) {
      begun += 1;
      await work(worker);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => run(worker)));
  return { done: pieces, perSecond: (pieces * 1000) / (performance.now() - started) };
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
