import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import type { TableRoute } from '../../proxy/domain/route-table.ts';
import { assetsOf, builtFolder, filesBelow, keptText, PAGE_POLICY, publicGet, redirectTo, sendPage } from './static-files.ts';

/**
 * Pages by their path. What a page shows it asks for over the API, with the key that is typed into it. The station prints documents
 * that it has fetched from a frame, and shows photos that are not sent yet.
 */
const pages = {
  console: { policy: PAGE_POLICY, permissions: undefined },
  station: {
    policy: PAGE_POLICY.replace("img-src 'self'", "img-src 'self' blob:; frame-src blob:"),
    permissions: 'camera=(self), serial=(self), microphone=(), geolocation=()',
  },
} as const;

/** A page of the gateway. */
export type PageName = keyof typeof pages;
const pageNames = Object.keys(pages) as PageName[];

/** Routes of the pages of merchants and of warehouses. */
export const pageRoutes: readonly TableRoute[] = pageNames.flatMap((name) => [
  publicGet(name, `/${name}`),
  publicGet(`${name}Slash`, `/${name}/`),
  publicGet(`${name}File`, `/${name}/assets/{name}`),
]);

/**
 * Adds the pages and their files. They are read at the first request for each, from the installation.
 * @param folderOf what the build of a page wrote
 */
export function addPages(router: Router, folderOf: (name: PageName) => string = (name) => builtFolder(name, 'page')): void {
  for (const name of pageNames) addPage(router, name, folderOf(name), pages[name]);
}

/**
 * Adds the page on the admin server, where the operators sign in with their tokens. The path without a name leads to it.
 * @param directory what the build of the page wrote
 */
export function addOperatorPage(router: Router, directory: string = builtFolder('operator', 'page')): void {
  router.get('/', redirectTo('operator'));
  addPage(router, 'operator', directory, { policy: PAGE_POLICY, permissions: undefined });
}

function addPage(
  router: Router,
  name: string,
  directory: string,
  { policy, permissions }: { readonly policy: string; readonly permissions: string | undefined },
): void {
  const page = keptText(() => readFile(join(directory, 'index.html')));
  const built = filesBelow(join(directory, 'assets')).length > 0;

  router.get(`/${name}`, async (req, res) => {
    if (!built) throw new AppError('50301', `The ${name} has not been built: run npm run build, then start again`);
    if (permissions !== undefined) res.setHeader('Permissions-Policy', permissions);
    await sendPage(req, res, 'text/html; charset=utf-8', page, policy);
  });
  router.get(`/${name}/`, redirectTo(`../${name}`));
  router.get(`/${name}/assets/:name`, assetsOf(join(directory, 'assets')));
}
