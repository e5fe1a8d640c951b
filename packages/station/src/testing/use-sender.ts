import { afterEach, beforeEach, jest } from '@jest/globals';
import type { ApiFailure } from '@parcelway/page/api/failure';
import { sleep } from '../devices/sleep.ts';
import type { ReportWarning } from '../queue/report-outcome.ts';
import { ReportQueue } from '../queue/report-queue.ts';
import { Sender } from '../queue/sender.ts';
import { MemoryStore } from './memory-store.ts';
import { ScriptedPlatform } from './scripted-platform.ts';

/** A queue of reports, the platform that they go to, and what the sender says, on the clock of the test. */
export interface Sending {
  store: MemoryStore;
  platform: ScriptedPlatform;
  queue: ReportQueue;
  /** Why the sender has stopped, once it has. */
  stopped: ApiFailure | undefined;
  readonly warnings: ReportWarning[];
  /** Reports about the store of the device, in order: whether it works. */
  readonly storeWorks: boolean[];
  /** Ends the senders of the test. */
  gone: AbortController;
  openQueue(warehouseCode?: string): Promise<ReportQueue>;
  /** Sends in the background. */
  run(from?: ReportQueue): Sender;
  /** Queues a weighing with photos. */
  weighed(forecastNo: string, ...photos: string[]): Promise<string[]>;
}

/** The draft of a weighing. */
export const weighing = (forecast_no: string) =>
  ({ type: 'weighing', forecast_no, weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 }) as const;

/** Lets time pass. */
export const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** Gives each test of the file a sender of its own, at 2026-11-23T04:00:00Z. */
export function useSender(): Sending {
  let ids = 0;
  const sending = {
    openQueue: (warehouseCode = 'SZ01') =>
      ReportQueue.open({ store: sending.store, environment: 'sandbox', warehouseCode, newId: () => `e${++ids}`, now: Date.now }),
    run(from = sending.queue) {
      const sender = new Sender({
        queue: from,
        api: sending.platform,
        sleep,
        random: () => 0.5,
        onStopped: (failure) => {
          sending.stopped = failure;
        },
        onWarnings: (more) => sending.warnings.push(...more),
        onStore: (works) => sending.storeWorks.push(works),
      });
      void sender.run(sending.gone.signal);
      return sender;
    },
    weighed: (forecastNo, ...photos) =>
      sending.queue.add({
        title: forecastNo,
        draft: weighing(forecastNo),
        photos: photos.map((id) => ({ id, content: new Blob([id]) })),
      }),
  } as Sending;
  beforeEach(async () => {
    jest.useFakeTimers({ now: Date.parse('2026-11-23T04:00:00Z') });
    ids = 0;
    Object.assign(sending, {
      store: new MemoryStore(),
      platform: new ScriptedPlatform(),
      stopped: undefined,
      warnings: [],
      storeWorks: [],
      gone: new AbortController(),
    });
    sending.queue = await sending.openQueue();
  });
  afterEach(() => {
    sending.gone.abort();
    jest.useRealTimers();
  });
  return sending;
}
