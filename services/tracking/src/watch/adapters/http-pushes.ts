import type { IncomingMessage } from 'node:http';
import { traceparentOf } from '@parcelway/http/follow-request';
import { readBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Router } from 'express';
import type { PushTelemetry } from '../push-telemetry.ts';
import type { ReceivePush } from '../receive-push.ts';
import { PushPacer } from './push-pacer.ts';

/** Largest push: 1 MB. */
export const MAX_PUSH_BYTES = 1024 * 1024;
/** Bytes of pushes that are held at the same time, and what of them one connection may hold. */
const BYTES = { capacity: 64 * 1024 * 1024, part: 0.25 };
/** Pushes under way, those that wait for their start included, and what of them one connection may have. */
const UNDER_WAY = { capacity: 256, part: 0.5 };

/** Headers by name. One that came twice is left out: which of the two is meant is uncertain. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]));
}

/** What a push may take of the memory before its body is read. */
function announcedBytes(req: IncomingMessage): number {
  const length = Number(req.headers['content-length'] ?? MAX_PUSH_BYTES);
  return Number.isSafeInteger(length) && length >= 0 ? Math.min(length, MAX_PUSH_BYTES) : MAX_PUSH_BYTES;
}

/**
 * Adds the route of pushes. It responds with 200 once a push is durable, with 503 and `Retry-After` when its connection has too many under way; then
 * the source sends it again. A push is neither read nor verified before its start, which the {@link PushPacer} decides.
 */
export function pushRoutes(router: Router, receive: ReceivePush, telemetry: Pick<PushTelemetry, 'busy'>): void {
  const bytes = new FairShares(BYTES);
  const underWay = new FairShares(UNDER_WAY);
  const pacer = new PushPacer();
  router.post('/carriers/v1/:source/:connectionId', async (req, res) => {
    const { source, connectionId } = req.params;
    const size = announcedBytes(req);
    if (!underWay.take(connectionId)) {
      telemetry.busy(connectionId);
      throw AppError.unavailable('Too many pushes of this connection are under way; send it again');
    }
    try {
      await pacer.turnOf(connectionId);
      const acknowledgement = await receive({
        source,
        connectionId,
        headers: headersOf(req),
        traceparent: traceparentOf(req),
        async body() {
          if (!bytes.take(connectionId, size))
            throw AppError.unavailable('Too many pushes of this connection are under way; send it again');
          try {
            return await readBody(req, MAX_PUSH_BYTES);
          } finally {
            bytes.give(connectionId, size);
          }
        },
      });
      if (acknowledgement === undefined) sendOk(res, {});
      else res.status(200).type('text/plain').send(acknowledgement);
    } finally {
      underWay.give(connectionId);
    }
  });
}
