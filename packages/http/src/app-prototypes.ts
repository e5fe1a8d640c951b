import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The most of a body that is handed to a connection at once. TLS encrypts what it is handed, and keeps that until the client reads. */
export const MAX_WRITE_BYTES = 64 * 1024;

/** Writes a body no faster than the client reads it, and ends the response. */
function writeSlices(res: ServerResponse, body: Buffer): void {
  let offset = 0;
  const writeOn = (): void => {
    while (offset < body.length - MAX_WRITE_BYTES) {
      const slice = body.subarray(offset, offset + MAX_WRITE_BYTES);
      offset += slice.length;
      if (!res.write(slice)) {
        res.once('drain', writeOn);
        return;
      }
    }
    res.end(body.subarray(offset));
  };
  writeOn();
}

/**
 * Takes over the end of a response with a large body: it is written in pieces, each when the client has read the one before.
 * A client that does not read costs one piece, however large the body is that it shares with others.
 * The parameters are those of `end`; a text is UTF-8 unless `encoding` says otherwise.
 * @returns false for a small body, which is to be written as usual
 */
function endPaced(res: ServerResponse, body: unknown, encoding: unknown, done: unknown): boolean {
  if (!(typeof body === 'string' || body instanceof Uint8Array) || body.length <= MAX_WRITE_BYTES) return false;
  const bytes = typeof body === 'string' ? Buffer.from(body, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8') : body;
  const callback = [encoding, done].find((given) => typeof given === 'function');
  if (callback !== undefined) res.once('finish', callback as () => void);
  // Known now, and not in pieces: the response does not become a chunked one.
  if (!res.headersSent && !res.hasHeader('Content-Length')) res.setHeader('Content-Length', bytes.length);
  if (res.req.method === 'HEAD') res.end();
  else writeSlices(res, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return true;
}

/** Hears what a handler does with its response, even after the client disconnects. */
export interface ResponseListener {
  /** The handler writes the head, and streams the body. Called at most once, and only before `ends`. */
  streams(): void;
  /** The handler ends the response. @param body the whole body, or the last part of a streamed one */
  ends(body: unknown): void;
}

const listeners = new WeakMap<ServerResponse, ResponseListener>();

/** Calls the listener as the handler writes the response. */
export function followResponse(res: ServerResponse, listener: ResponseListener): void {
  listeners.set(res, listener);
}

/** Constructors for a server that serves one Express app. */
export interface AppPrototypes {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Request and response classes whose instances already have the prototypes that Express would set on each of them.
 * Express calls Object.setPrototypeOf per request, which costs more than all the rest it does; on these objects the
 * call changes nothing and is free. Large bodies are written no faster than the client reads them.
 */
export function presetPrototypes(app: Express): AppPrototypes {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {
    override writeHead(...head: unknown[]): this {
      listeners.get(this)?.streams();
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>)) as this;
    }

    override end(body?: unknown, encoding?: unknown, done?: unknown): this {
      const listener = listeners.get(this);
      listeners.delete(this);
      listener?.ends(body);
      return endPaced(this, body, encoding, done) ? this : super.end(body, encoding as BufferEncoding, done as () => void);
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as unknown as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as AppPrototypes;
}

/** Prepares an app for requests of another app's server. Both apps must have the same settings. */
export function adoptPrototypes(app: Express, of: Express): void {
  app.request = of.request;
  app.response = of.response;
}
