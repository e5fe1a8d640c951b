import type { IncomingMessage } from 'node:http';

/**
 * After a refusal the rest of the body is read and thrown away up to this many bytes, so that the client sees the
 * answer instead of a reset connection; beyond it the connection is closed.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** Reads and forgets what is left of a request's body; ends the connection when there is too much. */
export function discardBody(req: IncomingMessage): void {
  if (req.complete) return;
  let discarded = 0;
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) req.destroy();
  });
  // The answer is on its way: a client that breaks off now has nobody left to tell.
  req.on('error', () => undefined);
  req.resume();
}
