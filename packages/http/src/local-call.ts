import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal, Duplex, Readable } from 'node:stream';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import type { Request, Response } from 'express';
import { attachPrincipal, type ServiceApp } from './app.ts';
import { followRequest } from './follow-request.ts';

/** A service of the same process. */
export interface LocalService {
  readonly app: ServiceApp;
  readonly telemetry: ServiceTelemetry;
  /** Resolves when the service can do its work. */
  readonly ready: () => Promise<void>;
}

/** What a service is asked. */
export interface ServiceRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly principal: Principal;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

/** A response whose body is still to be read. */
export interface ServiceResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readable;
}

const HEAD_END = '\r\n\r\n';

/** Stands for the connection of a request that comes over none. Passes the body of the response on, no faster than it is read. */
class Connection extends Duplex {
  readonly body = new Readable({ read: () => this.#writeOn() });
  readonly #onHead: () => void;
  #hasHead = false;
  /** Ends the write that waits until the body is read. */
  #goOn: (() => void) | undefined;

  constructor(onHead: () => void) {
    super();
    this.#onHead = onHead;
    // A body that nobody reads any more ends the connection. An error without a listener would end the process.
    this.body.on('close', () => this.destroy()).on('error', () => undefined);
  }

  #writeOn(): void {
    const goOn = this.#goOn;
    // A write ends once, and the next one may begin at that.
    this.#goOn = undefined;
    goOn?.();
  }

  override _read(): void {
    // The request comes whole, not over the connection.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const part = this.#hasHead ? chunk : chunk.subarray(chunk.indexOf(HEAD_END) + HEAD_END.length);
    if (!this.#hasHead) this.#onHead();
    this.#hasHead = true;
    if (part.length === 0 || this.body.push(part)) done();
    else this.#goOn = done;
  }

  override _final(done: () => void): void {
    this.body.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.body.destroy(error ?? undefined);
    done(error);
  }
}

/** Responses have no framing: it is a request of HTTP/1.0. */
function requestOver(connection: Connection, { method, path, principal, headers, body }: ServiceRequest): IncomingMessage {
  const req = new IncomingMessage(connection as unknown as Socket);
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  Object.assign(req, { httpVersion: '1.0', httpVersionMajor: 1, httpVersionMinor: 0, method, url: path, complete: true });
  req.headers = { ...headers, ...length };
  if (body !== null) req.push(body);
  req.push(null);
  attachPrincipal(req, principal);
  return req;
}

function responseOver(connection: Connection, req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req);
  // Once one header is set, `getHeaders` also has those that are given to `writeHead`.
  res.setHeader('Connection', 'close');
  res.assignSocket(connection as unknown as Socket);
  connection.on('drain', () => res.emit('drain'));
  res.once('finish', () => {
    res.detachSocket(connection as unknown as Socket);
    connection.end();
    res.destroy();
    process.nextTick(() => res.emit('close'));
  });
  return res;
}

/**
 * Calls the app of a service of this process, as a request over HTTP would.
 * @param signal ends the call, body included; the service sees that as a client that has gone
 * @throws what ended the call before a response began
 */
export function callLocally({ app, telemetry }: LocalService, request: ServiceRequest, signal: AbortSignal): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    const connection = new Connection(() => resolve({ statusCode: res.statusCode, headers: res.getHeaders(), body: connection.body }));
    const req = requestOver(connection, request);
    const res = responseOver(connection, req);
    connection.once('error', reject);
    connection.once('close', () => reject(new Error('The service ended the call without a response')));
    addAbortSignal(signal, connection);
    followRequest(telemetry, req, res);
    app(req as Request, res as Response);
  });
}
