import type { IncomingMessage } from 'node:http';
import { traceparentOf } from '@parcelway/http/follow-request';
import { readBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import type { Router } from 'express';
import type { PushTelemetry } from '../push-telemetry.ts';
import type { ReceivePush } from '../receive-push.ts';

/** Largest push: 1 MB. */
const MAX_PUSH_BYTES = 1024 * 1024;
/** Pushes that are read and applied at the same time, each with its body in memory, and how many may wait beside them. */
const PUSHES = { atOnce: 32, places: 256, maxWaitMs: 10_000 };
const BUSY = 'Too many pushes of this connection are under way';

/** Headers by name. One that came twice is left out: which of the two is meant is uncertain. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]));
}

/**
 * Adds the route of pushes. It responds with 200 once a push is durable, with 503 and `Retry-After` when its connection has too many under way; then
 * the source sends it again. Connections take turns: a push is neither read nor verified before its turn.
 */
export function pushRoutes(router: Router, receive: ReceivePush, telemetry: Pick<PushTelemetry, 'busy'>): void {
  const pushes = new FairQueue({ ...PUSHES, refusal: BUSY });
  router.post('/carriers/v1/:source/:connectionId', async (req, res) => {
    const { source, connectionId } = req.params;
    const give = await pushes.take(connectionId).catch(() => {
      telemetry.busy(connectionId);
      throw AppError.unavailable(`${BUSY}; send it again`);
    });
    try {
      const acknowledgement = await receive({
        source,
        connectionId,
        headers: headersOf(req),
        traceparent: traceparentOf(req),
        body: () => readBody(req, MAX_PUSH_BYTES),
      });
      if (acknowledgement === undefined) sendOk(res, {});
      else res.status(200).type('text/plain').send(acknowledgement);
    } finally {
      give();
    }
  });
}
