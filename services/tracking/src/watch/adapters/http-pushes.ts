import type { IncomingMessage } from 'node:http';
import { traceparentOf } from '@parcelway/http/follow-request';
import { readBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Router } from 'express';
import type { ReceivePush } from './receive-push.ts';

/** Largest push: 1 MB. */
const MAX_PUSH_BYTES = 1024 * 1024;
/** Bytes of pushes in memory, and the part of the free ones that a connection may take. */
const BYTES = { capacity: 64 * 1024 * 1024, part: 0.25 };
/** Fewest bytes that a push counts for. */
const MIN_PUSH_BYTES = 64 * 1024;
/** Pushes that are verified and applied at the same time; `places` are for these and those that wait. */
const PUSHES = { atOnce: 32, places: 256, maxWaitMs: 5_000 };
const BUSY = 'Too many pushes of this connection are under way';

/** Headers by name. One that came twice is left out: which of the two is meant is uncertain. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]));
}

/** Bytes to reserve for a push. */
function announcedBytes({ headers }: IncomingMessage): number {
  const length = Number(headers['content-length'] ?? MAX_PUSH_BYTES);
  return length <= MAX_PUSH_BYTES ? Math.max(length, MIN_PUSH_BYTES) : MAX_PUSH_BYTES;
}

/**
 * Adds the route of pushes. It responds with 200 once a push is durable, with 503 and `Retry-After` when its connection has too many under way; then
 * the source sends it again. Connections take turns. A push takes its turn once its body is there, so slow bodies do not delay others.
 */
export function pushRoutes(router: Router, receive: ReceivePush): void {
  const bytes = new FairShares(BYTES);
  const turns = new FairQueue({ ...PUSHES, refusal: BUSY });
  router.post('/carriers/v1/:source/:connectionId', async (req, res) => {
    const { source, connectionId } = req.params;
    const left = new AbortController();
    res.once('close', () => left.abort());
    const taken: Array<() => void> = [];
    try {
      const acknowledgement = await receive({
        source,
        connectionId,
        headers: headersOf(req),
        traceparent: traceparentOf(req),
        async body() {
          const size = announcedBytes(req);
          if (!bytes.take(connectionId, size)) throw AppError.unavailable(`${BUSY}; send it again`);
          taken.push(() => bytes.give(connectionId, size));
          const body = await readBody(req, MAX_PUSH_BYTES);
          taken.push(await turns.take(connectionId, left.signal));
          return body;
        },
      });
      if (acknowledgement === undefined) sendOk(res, {});
      else res.status(200).type('text/plain').send(acknowledgement);
    } finally {
      for (const give of taken) give();
    }
  });
}
