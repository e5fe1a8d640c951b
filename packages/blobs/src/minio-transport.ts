import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { ClientOptions } from 'minio';

type Transport = NonNullable<ClientOptions['transport']>;

/** How long the store may take. The client itself waits for ever. */
export interface Deadlines {
  /** Milliseconds without progress: no connection, no byte taken, no byte given. */
  readonly stallMs: number;
  /** Milliseconds for a whole call, without those that its body may take. */
  readonly responseMs: number;
  /** Milliseconds for a whole deletion. */
  readonly deleteMs: number;
}

/** Bytes that a store receives per millisecond at least; one that is slower counts as out. */
const SLOWEST_BYTES_PER_MS = 1000;

/** A reader who takes nothing for so long loses the connection. */
const READER_IDLE_MS = 60_000;

/** Reads have connections of their own, so that slow readers cannot keep writers waiting. */
const MAX_READS = 256;
const MAX_CALLS = 64;
const MAX_IDLE = 16;

/** Statuses whose response the client drops unread when it does not retry; unread, the response would keep its connection. */
const DROPPED_STATUSES = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/** A transport for the minio client, and the end of its connections. */
export interface MinioTransport {
  readonly transport: Transport;
  close(): void;
}

/** A network failure that says whether the connection had been used before. */
interface CallError extends Error {
  code?: string;
  reusedSocket?: boolean;
}

/** True when an idle connection turned out to be closed: nothing was wrong with the call, and a new one may well work. */
export function isStaleConnection(error: unknown): boolean {
  const { code, reusedSocket } = error as CallError;
  return reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Ends a request that makes no progress. A reader who pauses is not the store's fault and gets longer. */
function watchForStalls(request: http.ClientRequest, stallMs: number): void {
  const stalled = () => request.destroy(new Error(`The object store made no progress for ${stallMs} ms`));
  // The socket's own timer starts only when there is a socket, and any sign of life while it connects moves it.
  const connecting = setTimeout(stalled, stallMs);
  const connected = () => clearTimeout(connecting);
  request.once('close', connected).once('socket', (socket: Socket) => {
    if (socket.connecting) socket.once('connect', connected);
    else connected();
  });

  let response: http.IncomingMessage | undefined;
  let bytesRead = 0;
  let idleMs = 0;
  request.once('response', (received) => {
    response = received;
  });
  request.setTimeout(stallMs, () => {
    if (!response || (!response.complete && response.readableLength < response.readableHighWaterMark)) return stalled();
    idleMs = response.socket.bytesRead === bytesRead ? idleMs + stallMs : stallMs;
    bytesRead = response.socket.bytesRead;
    if (idleMs >= READER_IDLE_MS) return request.destroy(new Error(`Nothing was read for ${READER_IDLE_MS} ms`));
    return response.socket.setTimeout(stallMs);
  });
}

/** Ends a request that takes too long as a whole; the body of a read may take its reader's time. */
function limitWhole(request: http.ClientRequest, totalMs: number): void {
  const timer = setTimeout(() => request.destroy(new Error(`The object store took more than ${totalMs} ms`)), totalMs);
  request.once('close', () => clearTimeout(timer));
  request.once('response', ({ statusCode }) => {
    if (request.method === 'GET' && (statusCode === 200 || statusCode === 206)) clearTimeout(timer);
  });
}

function totalMsOf(options: http.RequestOptions, { responseMs, deleteMs }: Deadlines): number {
  if (options.method === 'DELETE') return deleteMs;
  const headers = options.headers as http.OutgoingHttpHeaders | undefined;
  return responseMs + Math.ceil(Number(headers?.['content-length'] ?? 0) / SLOWEST_BYTES_PER_MS);
}

/**
 * Requests with deadlines over bounded, kept connections.
 * @param secure TLS
 */
export function createMinioTransport(secure: boolean, deadlines: Deadlines): MinioTransport {
  const { Agent, request: send } = secure ? https : http;
  const settings = { keepAlive: true, maxFreeSockets: MAX_IDLE, scheduling: 'lifo' as const };
  const reads = new Agent({ ...settings, maxSockets: MAX_READS });
  const calls = new Agent({ ...settings, maxSockets: MAX_CALLS });

  function request(options: http.RequestOptions, onResponse?: (response: http.IncomingMessage) => void): http.ClientRequest {
    const sent = send({ ...options, agent: options.method === 'GET' ? reads : calls });
    watchForStalls(sent, deadlines.stallMs);
    limitWhole(sent, totalMsOf(options, deadlines));
    sent.once('error', (error: CallError) => {
      error.reusedSocket = sent.reusedSocket;
    });
    sent.once('response', (response) => {
      response.on('error', () => undefined); // its reader gets it; there may be none yet
      if (DROPPED_STATUSES.has(response.statusCode as number)) response.resume();
      onResponse?.(response);
    });
    return sent;
  }

  return {
    transport: { request: request as Transport['request'] },
    close() {
      reads.destroy();
      calls.destroy();
    },
  };
}
