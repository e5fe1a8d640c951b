import { STATUS_CODES } from 'node:http';
import type { ListenResult } from '@parcelway/sdk';
import { Agent, request } from 'undici';

/** A signed webhook, as the platform passes it. */
export type Message = ListenResult['messages'][number];

/** The response of the local program to a webhook. */
export interface LocalResponse {
  readonly status: number;
  /** Such as `OK`; empty for a status that has no name. */
  readonly statusText: string;
  readonly durationMs: number;
}

/** The local program did not respond. */
export class LocalProgramError extends Error {
  override readonly name = 'LocalProgramError';
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is your program running?',
  ECONNRESET: 'the connection was closed before a response',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  ENOTFOUND: 'the host name does not exist',
};

/** How a webhook is forwarded. */
interface ForwardOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Forwards a webhook to the local program. Each webhook opens a new connection, because developers restart their programs often.
 * @throws LocalProgramError when there is no response; the reason of the signal when that ends it
 */
export async function forwardWebhook(
  url: string,
  { headers, body }: Message,
  { deadlineMs, signal }: ForwardOptions,
): Promise<LocalResponse> {
  const dispatcher = new Agent({ pipelining: 0 });
  const deadline = AbortSignal.timeout(deadlineMs);
  const start = performance.now();
  try {
    const response = await request(url, { method: 'POST', headers, body, dispatcher, signal: AbortSignal.any([deadline, signal]) });
    await response.body.dump();
    const { statusCode: status } = response;
    return { status, statusText: STATUS_CODES[status] ?? '', durationMs: Math.round(performance.now() - start) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = deadline.aborted ? `no response within ${deadlineMs / 1000} s` : (sentences[code] ?? (code || message));
    throw new LocalProgramError(why, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}
