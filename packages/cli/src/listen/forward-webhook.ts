import { STATUS_CODES } from 'node:http';
import type { ListenResult } from '@parcelway/sdk';
import { Agent, request } from 'undici';

/** A signed webhook, as the platform hands it over. */
export type Message = ListenResult['messages'][number];

/** What the local program made of a webhook. */
export interface LocalResponse {
  readonly status: number;
  /** Such as `OK`; empty for a status that has no name. */
  readonly statusText: string;
  readonly durationMs: number;
}

/** Passes webhooks on to the local program. */
export interface Forwarder {
  /** @throws LocalProgramError when there is no response; the reason of the signal when that ends it */
  forward(message: Message, signal: AbortSignal): Promise<LocalResponse>;
  close(): Promise<void>;
}

/** The local program gave no response. */
export class LocalProgramError extends Error {
  override readonly name = 'LocalProgramError';
}

/** What the platform gives a receiver. */
const DEADLINE_MS = 15_000;

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is it running?',
  ECONNRESET: 'it closed the connection before it had responded',
  UND_ERR_SOCKET: 'it closed the connection before it had responded',
  ENOTFOUND: 'the host name does not exist',
};

/** Makes the forwarder. @param url of the local program */
export function createForwarder(url: string, deadlineMs: number = DEADLINE_MS): Forwarder {
  // A new connection each time, as a local program is stopped and started all the time.
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
        const why = deadline.aborted ? `it gave no response within ${deadlineMs / 1000} s` : (sentences[code] ?? (code || message));
        throw new LocalProgramError(why, { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}
