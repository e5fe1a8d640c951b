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

/** Forwards webhooks to the local program. */
export interface Forwarder {
  /** @throws LocalProgramError when there is no response; the reason of the signal when that ends it */
  forward(message: Message, signal: AbortSignal): Promise<LocalResponse>;
  close(): Promise<void>;
}

/** The local program did not respond. */
export class LocalProgramError extends Error {
  override readonly name = 'LocalProgramError';
}

/** The deadline that receivers have in production. */
const DEADLINE_MS = 15_000;

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is your program running?',
  ECONNRESET: 'the connection was closed before a response',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  ENOTFOUND: 'the host name does not exist',
};

/** Makes the forwarder. @param url of the local program */
export function createForwarder(url: string, deadlineMs: number = DEADLINE_MS): Forwarder {
  // A new connection each time, because a local program is restarted often.
  const agent = new Agent({ pipelining: 0 });
  return {
    async forward({ headers, body }, signal) {
      const deadline = AbortSignal.timeout(deadlineMs);
      const start = performance.now();
      try {
        const response = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.any([deadline, signal]),
        });
        await response.body.dump();
        const { statusCode: status } = response;
        return { status, statusText: STATUS_CODES[status] ?? '', durationMs: Math.round(performance.now() - start) };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const { code = '', message } = error as NodeJS.ErrnoException;
        const why = deadline.aborted ? `no response within ${deadlineMs / 1000} s` : (sentences[code] ?? (code || message));
        throw new LocalProgramError(why, { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}
