import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { ContentStream } from './content.ts';
import { connectionErrorOf, ParcelwayConnectionError, ParcelwayError } from './parcelway-error.ts';
import type { HttpResponse } from './transport.ts';

/** Seconds of a header Retry-After, which is a number of them or a date; null when it is neither. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined || header === '') return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

function envelopeOf(body: Uint8Array): Envelope | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as Partial<Envelope> | null;
    if (typeof value?.code === 'string') return { code: value.code, message: String(value.message), data: value.data ?? null };
  } catch {
    // What is no JSON is no envelope either; the caller says so.
  }
  return undefined;
}

/** What a response is to a caller that is no success. */
function failureOf(response: HttpResponse, envelope: Envelope | undefined): ParcelwayError {
  const { status, headers } = response;
  const retryAfter = retryAfterOf(headers['retry-after'], Date.now());
  const requestId = headers['x-request-id'] ?? null;
  if (envelope) return new ParcelwayError({ ...envelope, httpStatus: status, requestId, retryAfter });
  const message = `The response with status ${status} did not come from a Parcelway platform; check baseUrl and any proxy in between`;
  return new ParcelwayError({ code: 'unexpected_answer', message, httpStatus: status, requestId, retryAfter });
}

/** `data` of a response in the envelope. @throws ParcelwayError for a failure, or for a response of another shape */
export function readData(response: HttpResponse): unknown {
  const envelope = envelopeOf(response.body);
  if (envelope?.code === '0') return envelope.data;
  throw failureOf(response, envelope);
}

/** The file in a response. @throws ParcelwayError for a failure */
export function readContent(response: HttpResponse): { mediaType: string; content: Uint8Array } {
  if (response.status !== 200) throw failureOf(response, envelopeOf(response.body));
  return { mediaType: response.headers['content-type'] ?? '', content: response.body };
}

/** The failure in a response that should have begun a content. */
export function readFailure(response: HttpResponse): ParcelwayError {
  return failureOf(response, envelopeOf(response.body));
}

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
