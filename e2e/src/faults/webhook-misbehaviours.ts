import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { BadEndpoint, Misbehaviour } from './bad-endpoint.ts';
import type { ReceiverManner } from './bad-receiver.ts';
import type { Findings } from './fault.ts';

/** An attempt has this much time. */
const ATTEMPT_MS = 15_000;
const TOLERANCE_MS = 1000;
/** How long an endpoint misbehaves. */
export const MISBEHAVES_MS = 8000;
const MAX_READ_BYTES = 64 * 1024;
/** What the kernel holds of a connection at the pace below. */
const READ_SLACK_BYTES = 128 * 1024;
/** Begins and ends with what an endpoint does to attempts. */
export const behaves = (manner: ReceiverManner): Pick<Misbehaviour, 'begin' | 'end'> => ({
  async begin({ receiver }) {
    receiver.manner = manner;
  },
  async end({ receiver }) {
    receiver.manner = undefined;
  },
});

/** When attempts ended that had no complete response. */
export async function timedOut({ receiver }: BadEndpoint): Promise<Findings> {
  const { endedAfter } = receiver;
  const inTime = endedAfter.length > 0 && endedAfter.every((ms) => ms > ATTEMPT_MS - TOLERANCE_MS && ms < ATTEMPT_MS + TOLERANCE_MS);
  const seconds = endedAfter.map((ms) => (ms / 1000).toFixed(1));
  return {
    observed: `${seconds.length} attempts ended after ${seconds[0]} s`,
    violations: inTime ? [] : [`attempts ended after ${seconds.join(', ')} s`],
  };
}

/** Responds with 200 and then goes on and on, until it is cut off. @param onEnd receives the bytes of the body */
const endlessly =
  (onEnd: (bytes: number) => void): ReceiverManner =>
  (_attempt, res) => {
    const chunk = Buffer.alloc(8 * 1024, 'x');
    let bytes = 0;
    const writing = setInterval(() => {
      res.write(chunk);
      bytes += chunk.length;
    }, 20);
    res.writeHead(200, { 'content-type': 'text/plain' }).once('close', () => {
      clearInterval(writing);
      onEnd(bytes);
    });
  };

/** Takes attempts with a 200 whose body has no end. */
export function endlessBody(): Misbehaviour {
  let most = 0;
  const responded = new Set<string>();
  return {
    forMs: MISBEHAVES_MS,
    async begin({ receiver }) {
      receiver.manner = (attempt, res) => {
        responded.add(attempt.id);
        endlessly((bytes) => {
          most = Math.max(most, bytes);
        })(attempt, res);
      };
    },
    async judge() {
      const violations = most > MAX_READ_BYTES + READ_SLACK_BYTES ? [`${most} bytes of a response were taken`] : [];
      if (most < MAX_READ_BYTES) violations.push('no response was read to the limit');
      return { observed: `cut off after ${Math.round(most / 1024)} kB at most`, violations };
    },
    async end({ receiver }) {
      receiver.manner = undefined;
      // A 200 is a 200, however long its body.
      for (const id of responded) receiver.taken.add(id);
    },
  };
}

/** Attempts that ran side by side come within this of each other. */
const SIDE_BY_SIDE_MS = 500;

/** Asks for pauses of some seconds, and judges whether it gets them. */
export function asksForPauses(seconds: number): Misbehaviour {
  const askedAt: number[] = [];
  return {
    ...behaves((_attempt, res) => {
      askedAt.push(Date.now());
      res.writeHead(429, { 'retry-after': String(seconds) }).end();
    }),
    forMs: MISBEHAVES_MS + 4000,
    async judge() {
      const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] as number));
      const pauses = gaps.filter((gap) => gap > SIDE_BY_SIDE_MS);
      const shortest = Math.min(...pauses);
      // The receiver sees an attempt a little after it was made.
      const isKept = pauses.length > 0 && shortest >= seconds * 1000 - 100;
      return {
        observed: `${pauses.length} pauses of ${(shortest / 1000).toFixed(2)} s at least`,
        violations: isKept ? [] : [`attempts came after pauses of ${pauses.join(', ')} ms`],
      };
    },
  };
}

/** Says that it is gone, until it is enabled again. */
export const gone: Misbehaviour = {
  ...behaves((_attempt, res) => res.writeHead(410).end()),
  forMs: MISBEHAVES_MS,
  async judge({ stage, endpointId, receiver }) {
    const path = { endpoint_id: endpointId };
    const { status, disabled_reason } = await expectRoute<WebhookEndpoint>(stage.merchant.client, 'getEndpoint', { path });
    const before = receiver.attempts.length;
    await pause(2000);
    const more = receiver.attempts.length - before;
    const violations = status === 'disabled' && disabled_reason === 'gone' ? [] : [`the endpoint is ${status}, ${disabled_reason}`];
    if (more > 0) violations.push(`${more} attempts at a disabled endpoint`);
    return { observed: 'disabled as gone, and left alone; enabled again, and replayed', violations };
  },
  async end({ stage, endpointId, receiver }) {
    receiver.manner = undefined;
    const { client } = stage.merchant;
    const path = { endpoint_id: endpointId };
    await expectRoute(client, 'updateEndpoint', { path, body: { status: 'enabled' } });
    const since = new Date(Date.now() - 120_000).toISOString();
    // Asked again until nothing is left: events that are on their way when it is enabled are held still.
    const replay = async (): Promise<boolean> =>
      (await expectRoute<{ scheduled: number }>(client, 'replayDeliveries', { path, body: { since, only: 'undelivered' } })).scheduled ===
      0;
    await until(replay, { within: 30_000, everyMs: 1000, what: 'nothing to be left to replay' });
  },
};

/** Takes no connection. */
export const down: Misbehaviour = {
  forMs: MISBEHAVES_MS,
  begin: ({ receiver }) => receiver.close(),
  judge: async () => ({ observed: 'no connection', violations: [] }),
  end: ({ receiver }) => receiver.open(),
};
