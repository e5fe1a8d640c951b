import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Environment } from '@parcelway/contracts/environment';
import { sendJson } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, Response, Router } from 'express';
import type { TableRoute } from '../../proxy/domain/route-table.ts';
import { assetsOf, builtFolder, filesBelow, type KeptText, keptText, once, publicGet, redirectTo, sendPage } from './static-files.ts';

/** Routes that are not part of the API itself: probes and documents. */
export const documentRoutes: readonly TableRoute[] = [
  publicGet('home', '/'),
  publicGet('healthz', '/healthz'),
  publicGet('readyz', '/readyz'),
  publicGet('openapi', '/openapi.json'),
  publicGet('asyncapi', '/asyncapi.json'),
  publicGet('postman', '/postman.json'),
];

/**
 * Adds the documents, made when they are first asked for: building them costs more than a start should.
 * @param baseUrl address under which merchants reach this gateway
 */
export function addDocs(router: Router, environment: Environment, baseUrl: string): void {
  const add = (name: string, build: () => Promise<object>): void => {
    const bytes = once(async () => Buffer.from(JSON.stringify(await build())));
    router.get(`/${name}.json`, async (_req, res) => sendJson(res, 200, await bytes()));
  };
  add('openapi', async () => (await import('@parcelway/contracts/openapi')).buildOpenApi({ environment, baseUrl }));
  add('asyncapi', async () => (await import('@parcelway/contracts/asyncapi')).buildAsyncApi({ environment }));
  add('postman', async () => (await import('@parcelway/contracts/postman')).buildPostman({ environment, baseUrl }));
  router.get('/', redirectTo('/docs', 302));
}

/** Pages of the documentation, each in HTML and in Markdown, and the texts for language models; by the ids of their routes. */
const pages = {
  docs: '/docs',
  docsText: '/docs.md',
  docsPage: '/docs/{name}',
  guides: '/docs/guides',
  guide: '/docs/guides/{name}',
  guideTopic: '/docs/guides/{guide}/{name}',
  reference: '/docs/api',
  referencePage: '/docs/api/{name}',
  llms: '/llms.txt',
} as const;

/** Other addresses of the lists. */
const slashes = { docsSlash: '/docs/', guidesSlash: '/docs/guides/', referenceSlash: '/docs/api/' } as const;

/** Routes of the documentation: its pages, and what they show. */
export const docsSiteRoutes: readonly TableRoute[] = Object.entries({ ...pages, ...slashes, docsAsset: '/docs/assets/{name}' }).map(
  ([id, path]) => publicGet(id, path),
);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** A page or a text as it is served. */
interface Served {
  readonly type: string;
  readonly text: KeptText;
}

/** Address → what is served there. The addresses are those of files that exist: a request cannot reach any other file. */
function servedIn(directory: string): ReadonlyMap<string, Served> {
  const files = filesBelow(directory).filter((file) => TYPES[extname(file)] !== undefined && file !== 'licenses.md');
  return new Map(
    files.map((file) => [
      `/${file.replace(/\.html$/, '')}`,
      { type: TYPES[extname(file)] as string, text: keptText(() => readFile(join(directory, file))) },
    ]),
  );
}

/** True for a client that asks for Markdown, as programs do; a browser takes HTML, and one without a wish gets it. */
const prefersMarkdown = (req: Request): boolean => req.accepts(['text/html', 'text/markdown']) === 'text/markdown';

/**
 * Adds the documentation. A page is read at its first request, from the installation.
 * @param directory what the build of the site wrote
 */
export function addDocsSite(router: Router, directory = builtFolder('docs-site', 'site')): void {
  const served = servedIn(directory);
  const send = async (req: Request, res: Response): Promise<void> => {
    if (served.size === 0) throw new AppError('50301', 'The documentation has not been built: run npm run build, then start again');
    const asked = served.get(req.path);
    if (asked === undefined) throw new AppError('40402');
    const found = (prefersMarkdown(req) ? served.get(`${req.path}.md`) : undefined) ?? asked;
    // Of a page there are two kinds.
    if (served.has(`${req.path}.md`)) res.setHeader('Vary', 'Accept');
    await sendPage(req, res, found.type, found.text);
  };
  for (const path of Object.values(slashes)) router.get(path, redirectTo(`../${basename(path)}`));
  // The list has one address.
  router.get('/docs/guides/index', redirectTo('../guides'));
  router.get('/docs/assets/:name', assetsOf(join(directory, 'docs', 'assets')));
  for (const path of Object.values(pages)) router.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), send);
}
