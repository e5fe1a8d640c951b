import { ParcelwayError } from './parcelway-error.ts';
import type { HttpAnswer } from './transport.ts';

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

function failureOf(answer: HttpAnswer, envelope: Envelope | undefined): ParcelwayError {
  const { status, headers } = answer;
  const retryAfter = retryAfterOf(headers['retry-after'], Date.now());
  const requestId = headers['x-request-id'] ?? null;
  if (envelope) return new ParcelwayError({ ...envelope, httpStatus: status, requestId, retryAfter });
  const message = `What answered with status ${status} is not the API of a Parcelway platform; check baseUrl and what stands in between`;
  return new ParcelwayError({ code: 'unexpected_answer', message, httpStatus: status, requestId, retryAfter });
}

/** `data` of an answer in the envelope. @throws ParcelwayError for a failure, or for an answer of another shape */
export function readData(answer: HttpAnswer): unknown {
  const envelope = envelopeOf(answer.body);
  if (envelope?.code === '0') return envelope.data;
  throw failureOf(answer, envelope);
}

/** The file in an answer. @throws ParcelwayError for a failure */
export function readContent(answer: HttpAnswer): { mediaType: string; content: Uint8Array } {
  if (answer.status !== 200) throw failureOf(answer, envelopeOf(answer.body));
  return { mediaType: answer.headers['content-type'] ?? '', content: answer.body };
}
