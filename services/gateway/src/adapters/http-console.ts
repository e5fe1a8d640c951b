import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import type { TableRoute } from '../domain/route-table.ts';
import { once } from './once.ts';
import { assetsOf, builtFolder, namesIn, publicGet, redirectTo, sendFile } from './static-files.ts';

/** Routes of the merchant's page. What the page shows it asks for over the API, with the key that the merchant types in. */
export const consoleRoutes: readonly TableRoute[] = [
  publicGet('console', '/console'),
  publicGet('consoleSlash', '/console/'),
  publicGet('consoleFile', '/console/assets/{name}'),
];

/** Nothing from elsewhere and nothing inline: a page that holds a key must run no script but its own. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Adds the merchant's page and its files. They are read at the first request for each, from the installation.
 * @param directory what the build of the console wrote
 */
export function addConsole(router: Router, directory = builtFolder('page')): void {
  const page = once(() => readFile(join(directory, 'index.html')));
  const built = namesIn(join(directory, 'assets')).length > 0;

  router.get('/console', async (_req, res) => {
    if (!built) throw new AppError('50301', 'The console has not been built: run npm run build, then start again');
    const content = await page();
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    sendFile(res, 'text/html; charset=utf-8', content, 'no-cache');
  });
  router.get('/console/', redirectTo('../console'));
  router.get('/console/assets/:name', assetsOf(join(directory, 'assets')));
}
