import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, Response } from 'express';
import type { TableRoute } from '../../edge/domain/route-table.ts';
import { once } from './once.ts';

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

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Names of assets hold their hash, so a name never means other content. */
const FOREVER = 'public, max-age=31536000, immutable';

const here = createRequire(import.meta.url);

/** Manifests of the packages whose build the gateway serves. */
const manifests = {
  console: () => here.resolve('@parcelway/console/package.json'),
  station: () => here.resolve('@parcelway/station/package.json'),
} as const;

/** Where the build put a folder of a package. @param folder such as `page` */
export function builtFolder(name: keyof typeof manifests, folder: string): string {
  return join(dirname(manifests[name]()), 'dist', folder);
}

/** The names of the files in a folder; none when it has not been built. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Sends bytes that are kept in memory, one copy for all requests. */
export function sendFile(res: Response, type: string, content: Buffer, cacheControl: string): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', cacheControl);
  res.setHeader('Content-Length', content.length);
  res.end(content);
}

/** Leads from a path with a slash at its end to the one without. @param location relative to the path */
export function redirectTo(location: string): (req: Request, res: Response) => void {
  return (_req, res) => {
    res.statusCode = 308;
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
  const files = new Map(namesIn(directory).map((name) => [name, once(() => readFile(join(directory, name)))]));
  return async (req, res) => {
    const name = String(req.params['name']);
    const file = files.get(name);
    const type = MEDIA_TYPES[extname(name)];
    if (file === undefined || type === undefined) throw new AppError('40402');
    sendFile(res, type, await file(), FOREVER);
  };
}
