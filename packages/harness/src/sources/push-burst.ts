import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { recentRow } from './recent-row.ts';
import type { SignedPush, SourceServer } from './source-server.ts';

/** Whether the vendor has sent a push, or somebody else. */
export type PushKind = 'signed' | 'forged';

/** A push of a burst. */
export interface BurstPush extends SignedPush {
  readonly kind: PushKind;
}

/** Many pushes at once. */
export interface PushBurst {
  /** Address of the connection's pushes. */
  readonly url: string;
  /** Certificate to trust, PEM. */
  readonly ca: string;
  /** Connections, each with one push at a time. */
  readonly connections: number;
  /** Taken one after the other, and from the start again. */
  readonly pushes: readonly BurstPush[];
  /** Pushes in all. */
  readonly count: number;
}

/** What came of a burst. */
export interface BurstResult {
  readonly seconds: number;
  /** Responses by their status; 0 stands for a push without a response. */
  readonly statuses: Readonly<Record<PushKind, Readonly<Record<number, number>>>>;
}

const WITHIN_MS = 30_000;
const GARBAGE_BYTES = 2048;

/** For each number one push that the vendor has signed and three that it has not: unsigned, signed by somebody else, and garbage. */
export function mixedPushes(server: SourceServer, trackingNumbers: readonly string[]): readonly BurstPush[] {
  return trackingNumbers.flatMap((number): readonly BurstPush[] => {
    const signed = server.signPush(number);
    const rows = [recentRow('delivered', 1)];
    return [
      { kind: 'forged', ...server.signPush(number, { rows, isUnsigned: true }) },
      { kind: 'signed', ...signed },
      { kind: 'forged', ...server.signPush(number, { rows, secret: 'a-secret-of-somebody-else' }) },
      { kind: 'forged', headers: signed.headers, body: randomBytes(GARBAGE_BYTES / 2).toString('hex') },
    ];
  });
}

/** Sends a burst of pushes as fast as its connections allow. @throws RangeError without pushes */
export async function sendBurst({ url, ca, connections, pushes, count }: PushBurst): Promise<BurstResult> {
  if (pushes.length === 0) throw new RangeError('A burst needs pushes');
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca } });
  const statuses: Record<PushKind, Record<number, number>> = { signed: {}, forged: {} };
  const send = async ({ kind, body, headers }: BurstPush): Promise<void> => {
    let status = 0;
    try {
      const signal = AbortSignal.timeout(WITHIN_MS);
      const response = await pool.request({
        method: 'POST',
        path,
        body,
        headers: { 'content-type': 'application/json', ...headers },
        signal,
      });
      await response.body.dump();
      status = response.statusCode;
    } finally {
      statuses[kind][status] = (statuses[kind][status] ?? 0) + 1;
    }
  };
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      const push = pushes[begun % pushes.length] as BurstPush;
      begun += 1;
      // A push without a response counts as 0: the burst goes on.
      await send(push).catch(() => undefined);
    }
  };
  const startedAt = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, work));
  } finally {
    await pool.destroy();
  }
  return { seconds: (performance.now() - startedAt) / 1000, statuses };
}
