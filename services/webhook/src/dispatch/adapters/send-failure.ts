import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { Reply } from '../domain/settle.ts';
import { RefusedAddressError } from './guarded-connect.ts';

/** Why a request failed: for programs, and as a sentence for people. */
type Cause = readonly [AttemptErrorCode, string];

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: ['connection_refused', 'The connection was refused'],
  ECONNRESET: ['connection_reset', 'The connection was reset'],
  EPIPE: ['connection_reset', 'The connection was reset'],
  UND_ERR_SOCKET: ['connection_closed', 'The connection was closed before the response was complete'],
  ENOTFOUND: ['name_not_resolved', 'The host name does not resolve'],
  EAI_AGAIN: ['name_not_resolved', 'The host name could not be resolved: its name server does not respond'],
  UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'The connection could not be opened in time'],
  ETIMEDOUT: ['connection_closed', 'The connection broke: the receiver does not respond on it any more'],
  EHOSTUNREACH: ['unreachable', 'The host cannot be reached'],
  ENETUNREACH: ['unreachable', 'The network cannot be reached'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', 'The headers of the response are too large'],
};

/** Codes of failed handshakes and of certificates that do not hold (node: doc/api/tls, "X509 certificate error codes"). */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|EPROTO)/;

function causeOf(error: unknown): Cause {
  if (error instanceof RefusedAddressError) return ['address_not_allowed', `The address is not allowed: ${error.message}`];
  const { code, message } = error as { code?: string; message?: string };
  const said = [code, message].filter(Boolean).join(': ');
  if (code !== undefined && TLS_CODE.test(code)) return ['tls', `The TLS connection could not be made: ${said}`];
  return (code !== undefined && CAUSES[code]) || ['failed', said || 'The request failed'];
}

/** The reply for an attempt that ended without a complete response. @param error of undici, of the connection or of the address guard */
export function failureReply(error: unknown): Reply {
  const [errorCode, sentence] = causeOf(error);
  return { statusCode: null, error: sentence, errorCode, responseBody: null, retryAfter: null };
}

/** The reply for an attempt that its deadline ended. @param deadlineMs how long it was given */
export function hungReply(deadlineMs: number): Reply {
  const seconds = Math.round(deadlineMs / 100) / 10;
  const error = `No complete response within ${seconds} seconds`;
  return { statusCode: null, error, errorCode: 'timeout', responseBody: null, retryAfter: null };
}

/** True for the error of a connection that had carried responses before and was closed by the receiver. */
export function endedKeptConnection(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') && (socket?.bytesRead ?? 0) > 0;
}
