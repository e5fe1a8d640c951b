import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, Response } from 'express';
import type { TableRoute } from '../../proxy/domain/route-table.ts';

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
export type KeptText = ReturnType<typeof keptText>;

/** @param read gives the text; called once */
export function keptText(read: () => Promise<Buffer>) {
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

/** A route that anybody may read, and that is no part of the API. */
export const publicGet = (id: string, path: string): TableRoute => ({
  id,
  method: 'GET',
  path,
  service: 'gateway',
  access: 'public',
  scopes: [],
  rateClass: 'standard',
});

/** Nothing from elsewhere and nothing inline: a page that holds a key must run no script but its own. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.py': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Sends a page, or a text beside it, which runs as its policy says and is asked for again each time. */
export async function sendPage(req: Request, res: Response, type: string, text: KeptText, policy = PAGE_POLICY): Promise<void> {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  await sendText(req, res, type, text, 'no-cache');
}

/** Names of assets hold their hash, so a name never means other content. */
const FOREVER = 'public, max-age=31536000, immutable';

const here = createRequire(import.meta.url);

/** Manifests of the packages whose build the gateway serves. */
const manifests = {
  console: () => here.resolve('@parcelway/console/package.json'),
  'docs-site': () => here.resolve('@parcelway/docs-site/package.json'),
  operator: () => here.resolve('@parcelway/operator/package.json'),
  station: () => here.resolve('@parcelway/station/package.json'),
} as const;

/** Where the build put a folder of a package. @param folder such as `page` */
export function builtFolder(name: keyof typeof manifests, folder: string): string {
  return join(dirname(manifests[name]()), 'dist', folder);
}

/** The files in a folder and below it, by their paths with `/`; none when it has not been built. */
export function filesBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Leads to another path. @param location relative to the path */
export function redirectTo(location: string, status = 308): (req: Request, res: Response) => void {
  return (_req, res) => {
    res.statusCode = status;
    res.setHeader('Location', location);
    res.setHeader('Content-Length', '0');
    res.end();
  };
}

/**
 * Responds to requests for the assets of a folder, by their name in the path. Each is read at its first request. The names are those
 * that exist, not names that are joined to a path: a request cannot reach any other file.
 */
export function assetsOf(directory: string): (req: Request, res: Response) => Promise<void> {
  const files = new Map(filesBelow(directory).map((name) => [name, keptText(() => readFile(join(directory, name)))]));
  return async (req, res) => {
    const name = String(req.params['name']);
    const file = files.get(name);
    const type = MEDIA_TYPES[extname(name)];
    if (file === undefined || type === undefined) throw new AppError('40402');
    await sendText(req, res, type, file, FOREVER);
  };
}
