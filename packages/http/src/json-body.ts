import type { IncomingMessage } from 'node:http';
import { AppError } from '@parcelway/kernel/app-error';
import type { RequestHandler } from 'express';
import { parseStrictJson } from './strict-json.ts';

/** Largest JSON body: 5 MB. */
export const MAX_JSON_BYTES = 5 * 1024 * 1024;

function assertJsonMediaType(req: IncomingMessage): void {
  const [mediaType = '', ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (mediaType !== 'application/json' || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
    throw new AppError('41501', 'Send the body as Content-Type: application/json; charset=utf-8');
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('41501', 'Send the body without Content-Encoding');
  }
}

/**
 * The whole body, at most `limit` bytes.
 * @throws AppError 41301 as soon as it is known to be larger, 40001 when the client has left before its end
 */
export function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  // Listeners instead of `for await`: leaving that loop early destroys the socket, and the refusal with it.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const refuse = (): void => {
      stop();
      reject(new AppError('41301', `The body is larger than ${limit} bytes`, { headers: { Connection: 'close' } }));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) refuse();
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      stop();
      reject(new AppError('40001', 'The body ended early'));
    };
    // A client that left before emits no event any more.
    if (req.destroyed && !req.readableEnded) onClose();
    else if (Number(req.headers['content-length'] ?? 0) > limit) refuse();
    else req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/**
 * Middleware that puts the parsed body into `req.body`. Checks in order: media type (41501), size (41301), JSON (40001).
 * @param options.optional an absent or empty body is `{}` whatever its media type
 */
export function jsonBody({ optional = false } = {}): RequestHandler {
  return async (req, _res, next) => {
    const hasBody =
      req.headers['content-length'] !== '0' && (req.headers['content-length'] ?? req.headers['transfer-encoding']) !== undefined;
    if (optional && !hasBody) {
      req.body = {};
      return next();
    }
    assertJsonMediaType(req);
    req.body = parseStrictJson(await readBody(req, MAX_JSON_BYTES));
    next();
  };
}
