import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sendJson } from '@parcelway/http/answer';
import { AppError } from '@parcelway/kernel/app-error';
import type { Response, Router } from 'express';
import type { TableRoute } from '../domain/route-table.ts';
import { once } from './once.ts';

/** Makes the two documents; called at the first request for each. */
export interface Documents {
  readonly openapi: () => Promise<object>;
  readonly asyncapi: () => Promise<object>;
}

const publicGet = (id: string, path: string): TableRoute => ({
  id,
  method: 'GET',
  path,
  service: 'gateway',
  access: 'public',
  scopes: [],
  rateClass: 'standard',
});

/** Routes that are not part of the API itself: probes, documents, the reference page. */
export const documentRoutes: readonly TableRoute[] = [
  publicGet('home', '/'),
  publicGet('healthz', '/healthz'),
  publicGet('readyz', '/readyz'),
  publicGet('openapi', '/openapi.json'),
  publicGet('asyncapi', '/asyncapi.json'),
  publicGet('docs', '/docs'),
  publicGet('docsFile', '/docs/{name}'),
];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

// Relative to /docs, so that the page works under whatever prefix a proxy puts in front.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parcelway API reference</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis],
  });
});
`;

/** Nothing from elsewhere, no inline script. Swagger UI sets style attributes and draws icons from data URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function sendText(res: Response, type: string, content: string | Buffer, maxAgeSeconds: number): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', `public, max-age=${maxAgeSeconds}`);
  res.setHeader('Content-Length', Buffer.byteLength(content));
  res.end(content);
}

/** Adds the reference page, its files and the two documents. All files come from the installation, none from a network. */
export function addDocs(router: Router, documents: Documents): void {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = new Map(Object.keys(MEDIA_TYPES).map((name) => [name, once(() => readFile(join(root, name)))]));
  const openapi = once(async () => Buffer.from(JSON.stringify(await documents.openapi())));
  const asyncapi = once(async () => Buffer.from(JSON.stringify(await documents.asyncapi())));

  router.get('/', (_req, res) => {
    res.statusCode = 302;
    res.setHeader('Location', '/docs');
    res.setHeader('Content-Length', '0');
    res.end();
  });
  router.get('/openapi.json', async (_req, res) => sendJson(res, 200, await openapi()));
  router.get('/asyncapi.json', async (_req, res) => sendJson(res, 200, await asyncapi()));
  router.get('/docs', (_req, res) => {
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    sendText(res, 'text/html; charset=utf-8', PAGE, 300);
  });
  router.get('/docs/start.js', (_req, res) => sendText(res, 'text/javascript; charset=utf-8', START, 300));
  router.get('/docs/:name', async (req, res) => {
    const name = String(req.params.name);
    const file = files.get(name);
    if (file === undefined) throw new AppError('40402');
    sendText(res, MEDIA_TYPES[name] as string, await file(), 86_400);
  });
}
