import { type PushBurst, sendBurst } from '@parcelway/harness/sources/push-burst';

/* Sends the burst that its parent describes, in a process of its own, and prints what came of it: the parent measures others meanwhile. */

process.once('message', (burst: PushBurst) => {
  sendBurst(burst).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      throw error;
    },
  );
});
