import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from '@parcelway/blobs/blobs';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request } from 'express';

/** A content to show in a browser. */
export interface ShownContent {
  readonly storageKey: string;
  readonly size: number;
  readonly mediaType: string;
  readonly disposition: string;
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

/** The one range that is asked for; several, or one that cannot be satisfied, are answered with the whole content. */
function rangeOf(req: Request, size: number): Range | undefined {
  const ranges = req.method === 'GET' ? req.range(size) : undefined;
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
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
  res.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
}

/**
 * Answers with a stored content, or one range of it.
 * @throws AppError 50301 when the store is out; 50000 when a record has lost its content
 */
export async function sendContent(
  deps: { blobs: Blobs; logger: Logger },
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
  const blob = await deps.blobs.open(content.storageKey, range);
  if (!blob) throw new AppError('50000', undefined, { cause: new Error(`The content ${content.storageKey} is missing`) });
  writeHeaders(res, content, range);
  try {
    await pipeline(blob.stream, res);
  } catch (error) {
    if (isClientGone(req, error)) return;
    // Headers are out: the broken connection tells the client.
    deps.logger.error({ err: error, storage_key: content.storageKey }, 'a content could not be sent to its end');
    res.destroy();
  }
}

function isClientGone(req: IncomingMessage, error: unknown): boolean {
  return req.socket.destroyed || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
