import type { SendReply } from '../ports.ts';
import { RefusedAddressError } from './guarded-connect.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete',
  ENOTFOUND: 'The host name does not resolve',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be opened in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
};

function sentenceOf(error: unknown): string {
  if (error instanceof RefusedAddressError) return `The address is not allowed: ${error.message}`;
  const { code, message } = error as { code?: string; message?: string };
  return (code !== undefined && SENTENCES[code]) || [code, message].filter(Boolean).join(': ') || 'The request failed';
}

/** The reply for an attempt that ended without a complete answer. @param error of undici, of the connection or of the address guard */
export function failureReply(error: unknown): SendReply {
  const refused = error instanceof RefusedAddressError;
  return { statusCode: null, error: sentenceOf(error), responseBody: null, retryAfter: null, hung: false, refused };
}

/** The reply for an attempt that its deadline ended. @param deadlineMs how long it was given */
export function hungReply(deadlineMs: number): SendReply {
  const seconds = Math.round(deadlineMs / 100) / 10;
  const error = `No complete answer within ${seconds} seconds`;
  return { statusCode: null, error, responseBody: null, retryAfter: null, hung: true, refused: false };
}

/** True for the error of a connection that had carried answers before and was closed by the receiver. */
export function endedKeptConnection(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') && (socket?.bytesRead ?? 0) > 0;
}
