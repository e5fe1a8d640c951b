import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { connectionErrorOf } from './connection-error.ts';
import type { ContentStream } from './content.ts';
import { ParcelwayConnectionError } from './parcelway-error.ts';

/** The platform is silent for so long at most while it looks for what comes next. */
const MAX_SILENCE_MS = 600_000;

/**
 * The body of a response as a stream of bytes.
 * @param origin such as `https://localhost:8443`
 * @param exchange ends the response
 * @param signal of the caller, which ends the stream with its reason
 */
export function contentStream(
  body: IncomingMessage,
  origin: string,
  exchange: AbortController,
  signal: AbortSignal | undefined,
): ContentStream {
  const stream = new PassThrough({
    destroy(error, done) {
      clearTimeout(silence);
      signal?.removeEventListener('abort', stop);
      // Of a stream that is left before its end, the connection is of no more use.
      if (!body.readableEnded) exchange.abort();
      done(error);
    },
  });
  const stop = (): void => void stream.destroy(signal?.reason as Error);
  const silence = setTimeout(() => {
    // The caller does not read: then the platform is not silent.
    if (stream.writableNeedDrain) silence.refresh();
    else stream.destroy(silent(origin));
  }, MAX_SILENCE_MS);
  body.on('data', () => silence.refresh());
  body.once('error', (error) => stream.destroy(connectionErrorOf(error, origin)));
  body.pipe(stream);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return stream;
}

function silent(origin: string): ParcelwayConnectionError {
  return new ParcelwayConnectionError(
    'timeout',
    `${origin} sent nothing for ${MAX_SILENCE_MS / 60_000} minutes in the middle of a response`,
  );
}
