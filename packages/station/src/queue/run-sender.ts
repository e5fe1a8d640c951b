import type { Client } from '@parcelway/page/api/client';
import type { ApiFailure } from '@parcelway/page/api/failure';
import { reportEvents, uploadPhoto } from '../api/warehouse.ts';
import { sleep } from '../devices/sleep.ts';
import type { ReportQueue, ReportWarning } from './queued-report.ts';
import { Sender } from './sender.ts';

export interface RunSenderOptions {
  readonly queue: ReportQueue;
  readonly client: Client;
  readonly onStopped: (failure: ApiFailure) => void;
  readonly onWarnings: (warnings: readonly ReportWarning[]) => void;
  readonly onStore: (works: boolean) => void;
}

/** Sends the queue from this tab until `signal` aborts. Of several tabs one sends; the others see what is left. @returns the sender, to wake it */
export function runSender({ queue, client, onStopped, onWarnings, onStore }: RunSenderOptions, signal: AbortSignal): Sender {
  const sender = new Sender({
    queue,
    api: { uploadPhoto: (content, id) => uploadPhoto(client, content, id), report: (events) => reportEvents(client, events) },
    sleep,
    random: Math.random,
    onStopped,
    onWarnings,
    onStore,
  });
  shareChanges(queue, signal);
  const wake = (): void => sender.wake();
  addEventListener('online', wake, { signal });
  navigator.locks
    .request(queue.name, { signal }, () => sender.run(signal))
    .catch((error: unknown) => {
      // Signed out before the turn of this tab came.
      if (!signal.aborted) throw error;
    });
  return sender;
}

function shareChanges(queue: ReportQueue, signal: AbortSignal): void {
  const channel = new BroadcastChannel(queue.name);
  let isRemote = false;
  const unfollow = queue.follow(() => {
    if (!isRemote) channel.postMessage('changed');
  });
  channel.onmessage = () => {
    // A change that another tab announced is not announced again.
    isRemote = true;
    void queue
      .refresh()
      .catch((error: unknown) => {
        // What cannot be read now is read with the next change.
        if (!(error instanceof DOMException)) throw error;
      })
      .finally(() => {
        isRemote = false;
      });
  };
  signal.addEventListener('abort', () => {
    unfollow();
    channel.close();
  });
}
