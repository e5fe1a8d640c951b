import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from '@parcelway/blobs/blobs';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request } from 'express';

export interface ShownContent {
  readonly storageKey: string;
  /** Where it begins in what is stored; default 0. */
  readonly start?: number;
  readonly size: number;
  readonly mediaType: string;
  readonly disposition: string;
  /** How long a client may keep it; for ever when not given. */
  readonly cacheSeconds?: number;
}

/**
 * An uploaded content never runs anything: no scripts, no embedding pages' rights. Images get a sandbox on top; PDFs do
 * not, because browsers refuse to show a PDF in one, and their viewers need their own plug-in and styles.
 */
function contentPolicy(mediaType: string): string {
  return mediaType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The one range that is asked for; several, or one that cannot be satisfied, get the whole content. */
function rangeOf(req: Request, size: number): Range | undefined {
  const ranges = req.method === 'GET' ? req.range(size) : undefined;
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
}

/** The bytes to read of what is stored; undefined for all of it. */
function storedRange({ start, size }: ShownContent, range: Range | undefined): Range | undefined {
  if (start === undefined) return range;
  return { start: start + (range?.start ?? 0), end: start + (range?.end ?? size - 1) };
}

function writeHeaders(res: ServerResponse, content: ShownContent, range: Range | undefined): void {
  res.statusCode = range ? 206 : 200;
  res.setHeader('Content-Type', content.mediaType);
  res.setHeader('Content-Length', range ? range.end - range.start + 1 : content.size);
  if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${content.size}`);
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('Content-Disposition', content.disposition);
  res.setHeader('Content-Security-Policy', contentPolicy(content.mediaType));
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  res.setHeader('Referrer-Policy', 'no-referrer');
  const { cacheSeconds } = content;
  res.setHeader('Cache-Control', cacheSeconds === undefined ? 'private, max-age=31536000, immutable' : `private, max-age=${cacheSeconds}`);
}

async function openStored(blobs: Blobs, { storageKey }: ShownContent, range: Range | undefined): Promise<Readable> {
  const stream = await blobs.open(storageKey, range);
  if (!stream) throw new AppError('50000', undefined, { cause: new Error(`The content ${storageKey} is missing`) });
  return stream;
}

/**
 * Sends a stored content, or one range of it.
 * @throws AppError 50301 when the store is out; 50000 when a record has lost its content
 */
export async function sendContent(
  options: { blobs: Blobs; logger: Logger },
  req: Request,
  res: ServerResponse,
  content: ShownContent,
): Promise<void> {
  const range = rangeOf(req, content.size);
  if (req.method === 'HEAD') {
    writeHeaders(res, content, range);
    res.end();
    return;
  }
  const stream = await openStored(options.blobs, content, storedRange(content, range));
  writeHeaders(res, content, range);
  try {
    await pipeline(stream, res);
  } catch (error) {
    if (isClientGone(req, error)) return;
    // Headers are sent: only the broken connection shows the client that something failed.
    options.logger.error({ err: error, storage_key: content.storageKey }, 'Cannot send the rest of a file');
    res.destroy();
  }
}

function isClientGone(req: IncomingMessage, error: unknown): boolean {
  return req.socket.destroyed || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
