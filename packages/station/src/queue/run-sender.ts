import { sleep } from '../devices/sleep.ts';
import type { ReportQueue } from './queued-report.ts';
import { Sender, type SenderOptions } from './sender.ts';

type RunSenderOptions = Omit<SenderOptions, 'sleep' | 'random'>;

/** Sends the queue from this tab until `signal` aborts. Of several tabs one sends; the others see what is left. @returns the sender, to wake it */
export function runSender(options: RunSenderOptions, signal: AbortSignal): Sender {
  const { queue } = options;
  const sender = new Sender({ ...options, sleep, random: Math.random });
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
