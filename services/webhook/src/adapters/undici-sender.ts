import { Agent, request } from 'undici';
import type { Network } from '../domain/address-policy.ts';
import { isSuccess, type Reply } from '../domain/delivery.ts';
import { judgeUrl } from '../domain/url-policy.ts';
import type { Sender } from '../ports.ts';
import { createGuardedConnector, RefusedAddressError } from './guarded-connect.ts';
import type { ResolveHost } from './resolve-host.ts';

/** Whole time of an attempt: connecting, sending, the answer to its end. */
export const ATTEMPT_DEADLINE_MS = 15_000;
/** Bytes of an answer that are read. */
export const MAX_READ_BYTES = 64 * 1024;
/** Bytes of an answer that are kept. */
export const MAX_KEPT_BYTES = 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 20_000;

/** Ended by the deadline or by the caller. */
class Ended extends Error {}

interface Body extends AsyncIterable<Buffer> {
  destroy(error?: Error): unknown;
}

/** Reads an answer to its end or to the limit; keeps the beginning as text. */
async function readBeginning(body: Body): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body) {
    if (read < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - read));
    read += chunk.length;
    // Leaving the loop destroys the body and with it the connection: there is no telling how much more would come.
    if (read >= MAX_READ_BYTES) break;
  }
  // As a stream: a character cut at the limit is left out instead of being shown as a wrong one.
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true });
}

/** True when a kept-alive connection was closed by the receiver just as it was used again. */
function wasStale(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') && (socket?.bytesRead ?? 0) > 0;
}

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

function failure(error: unknown, statusCode: number | null): Reply & { readonly hung: boolean } {
  return { statusCode, error: sentenceOf(error), responseBody: null, retryAfter: null, hung: false };
}

function headerOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** What the sender works with. */
export interface SenderOptions {
  readonly allowed: readonly Network[];
  readonly resolve: ResolveHost;
  /** Default {@link ATTEMPT_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

/**
 * Sends with undici over connections that are kept alive. Redirects are answers like any other: following one would
 * lead to an address that nobody has judged. Nothing is inflated.
 */
export function createUndiciSender(options: SenderOptions): Sender {
  const { allowed, resolve, deadlineMs = ATTEMPT_DEADLINE_MS } = options;
  // No limit on connections: the dispatcher limits each endpoint, and endpoints that share a host must not wait for each other.
  const agent = new Agent({
    connect: createGuardedConnector({ allowed, resolve, timeoutMs: Math.min(CONNECT_TIMEOUT_MS, deadlineMs) }),
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
  });

  async function once(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Reply> {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
    const responseBody = await readBeginning(answer.body);
    const { statusCode } = answer;
    const error = isSuccess(statusCode) ? null : `The answer had status ${statusCode}`;
    return { statusCode, error, responseBody, retryAfter: headerOf(answer.headers['retry-after']) };
  }

  return {
    async send({ url, headers, body }, signal) {
      // The connector judges addresses; what else a URL may not have (a user name, an internal name) shows in the URL alone.
      const target = judgeUrl(url, allowed);
      if ('message' in target) return failure(new RefusedAddressError(target.message), null);
      const controller = new AbortController();
      const abort = (): void => controller.abort(new Ended('stopped'));
      let hung = false;
      const timer = setTimeout(() => {
        hung = true;
        controller.abort(new Ended('deadline'));
      }, deadlineMs);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        try {
          return { ...(await once(url, headers, body, controller.signal)), hung: false };
        } catch (error) {
          if (!wasStale(error) || controller.signal.aborted) throw error;
          // Not the receiver's fault and not worth a wait: the same attempt on another connection.
          return { ...(await once(url, headers, body, controller.signal)), hung: false };
        }
      } catch (error) {
        if (!hung) return failure(error, null);
        const seconds = Math.round(deadlineMs / 100) / 10;
        return {
          statusCode: null,
          error: `No complete answer within ${seconds} seconds`,
          responseBody: null,
          retryAfter: null,
          hung: true,
        };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => agent.destroy(),
  };
}
