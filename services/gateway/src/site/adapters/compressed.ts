import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** Calls `make` once and keeps what it gave; what it failed at is tried again at the next call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** A text that is kept in memory as it is and compressed, each from its first use on. */
export interface KeptText {
  readonly plain: () => Promise<Buffer>;
  readonly gzip: () => Promise<Buffer>;
}

/** @param read gives the text; called once */
export function keptText(read: () => Promise<Buffer>): KeptText {
  const plain = once(read);
  return { plain, gzip: once(async () => compress(await plain())) };
}

/** Sends a text, compressed where the client takes that. */
export async function sendText(req: Request, res: Response, type: string, text: KeptText, cacheControl: string): Promise<void> {
  const isCompressed = req.acceptsEncodings('gzip', 'identity') === 'gzip';
  const content = await (isCompressed ? text.gzip() : text.plain());
  res.vary('Accept-Encoding');
  if (isCompressed) res.setHeader('Content-Encoding', 'gzip');
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', cacheControl);
  res.setHeader('Content-Length', content.length);
  res.end(content);
}
