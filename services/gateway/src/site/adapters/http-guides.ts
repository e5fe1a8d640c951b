import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import type { Response, Router } from 'express';
import type { TableRoute } from '../../edge/domain/route-table.ts';
import { once } from './once.ts';
import { assetsOf, builtFolder, namesIn, publicGet, redirectTo, sendFile } from './static-files.ts';

/** Routes of the guides: the list, each guide, and what they show. */
export const guideRoutes: readonly TableRoute[] = [
  publicGet('guides', '/docs/guides'),
  publicGet('guidesSlash', '/docs/guides/'),
  publicGet('guide', '/docs/guides/{name}'),
  publicGet('guideFile', '/docs/guides/assets/{name}'),
];

/** Text, styles and pictures from here: the guides need no script. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Adds the guides. They are read at the first request for each, from the installation.
 * @param directory what the build of the guides wrote
 */
export function addGuides(router: Router, directory = builtFolder('console', 'guides')): void {
  const names = namesIn(directory).filter((name) => name.endsWith('.html'));
  const pages = new Map(names.map((name) => [name.slice(0, -'.html'.length), once(() => readFile(join(directory, name)))]));
  const send = async (name: string, res: Response): Promise<void> => {
    if (pages.size === 0) throw new AppError('50301', 'The guides have not been built: run npm run build, then start again');
    const page = pages.get(name);
    if (page === undefined) throw new AppError('40402');
    const content = await page();
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    sendFile(res, 'text/html; charset=utf-8', content, 'no-cache');
  };

  router.get('/docs/guides', (_req, res) => send('index', res));
  router.get('/docs/guides/', redirectTo('../guides'));
  // The list has one address.
  router.get('/docs/guides/index', redirectTo('../guides'));
  router.get('/docs/guides/:name', (req, res) => send(String(req.params['name']), res));
  router.get('/docs/guides/assets/:name', assetsOf(join(directory, 'assets')));
}
