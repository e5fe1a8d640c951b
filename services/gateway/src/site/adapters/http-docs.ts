import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
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

/** Routes of the documentation: its pages, each in HTML and in Markdown, what they show, and the texts for language models. */
export const docsSiteRoutes: readonly TableRoute[] = [
  publicGet('docs', '/docs'),
  publicGet('docsSlash', '/docs/'),
  publicGet('docsText', '/docs.md'),
  publicGet('docsPage', '/docs/{name}'),
  publicGet('guides', '/docs/guides'),
  publicGet('guidesSlash', '/docs/guides/'),
  publicGet('guide', '/docs/guides/{name}'),
  publicGet('guideTopic', '/docs/guides/{guide}/{name}'),
  publicGet('reference', '/docs/api'),
  publicGet('referenceSlash', '/docs/api/'),
  publicGet('referencePage', '/docs/api/{name}'),
  publicGet('docsAsset', '/docs/assets/{name}'),
  publicGet('llms', '/llms.txt'),
];

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
  router.get('/docs/', redirectTo('../docs'));
  router.get('/docs/guides/', redirectTo('../guides'));
  router.get('/docs/api/', redirectTo('../api'));
  // The list has one address.
  router.get('/docs/guides/index', redirectTo('../guides'));
  router.get('/docs/assets/:name', assetsOf(join(directory, 'docs', 'assets')));
  for (const path of ['/docs', '/docs.md', '/llms.txt', '/docs/guides', '/docs/api']) router.get(path, send);
  for (const path of ['/docs/:name', '/docs/guides/:name', '/docs/guides/:guide/:name', '/docs/api/:name']) router.get(path, send);
}
