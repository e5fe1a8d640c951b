import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import type { Response, Router } from 'express';
import type { TableRoute } from '../domain/route-table.ts';
import { once } from './once.ts';

const publicGet = (id: string, path: string): TableRoute => ({
  id,
  method: 'GET',
  path,
  service: 'gateway',
  access: 'public',
  scopes: [],
  rateClass: 'standard',
});

/** Routes of the merchant's page. What the page shows it asks for over the API, with the key that the merchant types in. */
export const consoleRoutes: readonly TableRoute[] = [
  publicGet('console', '/console'),
  publicGet('consoleSlash', '/console/'),
  publicGet('consoleFile', '/console/assets/{name}'),
];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere and nothing inline: a page that holds a key must run no script but its own. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Names of files hold their hash, so a name never means other content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Where the build of the package put the page. */
function builtPage(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@parcelway/console/package.json')), 'dist', 'page');
}

/** The names under which the build wrote files; none when the page has not been built. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function send(res: Response, type: string, content: Buffer, cacheControl: string): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', cacheControl);
  res.setHeader('Content-Length', content.length);
  res.end(content);
}

/**
 * Adds the merchant's page and its files. They are read at the first request for each, from the installation.
 * @param directory what the build of the console wrote
 */
export function addConsole(router: Router, directory = builtPage()): void {
  const page = once(() => readFile(join(directory, 'index.html')));
  // The names that exist, not names that are joined to a path: a request cannot reach any other file.
  const files = new Map(namesIn(join(directory, 'assets')).map((name) => [name, once(() => readFile(join(directory, 'assets', name)))]));

  router.get('/console', async (_req, res) => {
    if (files.size === 0) throw new AppError('50301', 'The console has not been built: run npm run build, then start again');
    const content = await page();
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    send(res, 'text/html; charset=utf-8', content, 'no-cache');
  });
  router.get('/console/', (_req, res) => {
    res.statusCode = 308;
    res.setHeader('Location', '../console');
    res.setHeader('Content-Length', '0');
    res.end();
  });
  router.get('/console/assets/:name', async (req, res) => {
    const name = String(req.params['name']);
    const file = files.get(name);
    const type = MEDIA_TYPES[extname(name)];
    if (file === undefined || type === undefined) throw new AppError('40402');
    send(res, type, await file(), FOREVER);
  });
}
