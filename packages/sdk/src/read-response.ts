import { ParcelwayError } from './parcelway-error.ts';
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
