import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sendJson } from '@parcelway/http/response';
import type { Router } from 'express';
import type { TableRoute } from '../../edge/domain/route-table.ts';
import { once } from './once.ts';
import { publicGet, redirectTo, sendFile } from './static-files.ts';

/** Makes the documents; called at the first request for each. */
export interface Documents {
  readonly openapi: () => Promise<object>;
  readonly asyncapi: () => Promise<object>;
  /** A collection of requests. */
  readonly postman: () => Promise<object>;
}

/** Routes that are not part of the API itself: probes, documents, and the OpenAPI document in Swagger UI. */
export const documentRoutes: readonly TableRoute[] = [
  publicGet('home', '/'),
  publicGet('healthz', '/healthz'),
  publicGet('readyz', '/readyz'),
  publicGet('openapi', '/openapi.json'),
  publicGet('asyncapi', '/asyncapi.json'),
  publicGet('postman', '/postman.json'),
  publicGet('swagger', '/docs/openapi'),
  publicGet('swaggerSlash', '/docs/openapi/'),
  publicGet('swaggerFile', '/docs/openapi/{name}'),
];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

// Relative to /docs/openapi, so that the page works under whatever prefix a proxy puts in front.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parcelway OpenAPI document</title>
<link rel="stylesheet" href="openapi/swagger-ui.css">
<link rel="stylesheet" href="openapi/page.css">
<link rel="icon" type="image/png" href="openapi/favicon-32x32.png">
</head>
<body>
<nav aria-label="Main">
<strong>Parcelway</strong>
<a href="../docs">Start</a>
<a href="guides">Guides</a>
<a href="api">API reference</a>
<a href="openapi" aria-current="page">OpenAPI</a>
<a href="../console">Console</a>
</nav>
<div id="swagger-ui"></div>
<script src="openapi/swagger-ui-bundle.js"></script>
<script src="openapi/start.js"></script>
</body>
</html>
`;

/** The bar above the reference, as the console and the guides have it. Swagger UI itself is light only. */
const STYLE = `body {
  margin: 0;
}
nav[aria-label] {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 20px;
  padding: 0 20px;
  font: 14px/52px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  border-bottom: 1px solid #e2e6ec;
}
nav[aria-label] strong {
  color: #1b2130;
}
nav[aria-label] a {
  color: #5a6478;
  text-decoration: none;
}
nav[aria-label] a:hover,
nav[aria-label] a[aria-current] {
  color: #3454d1;
}
`;

const START = `window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: '../openapi.json',
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

const maxAge = (seconds: number): string => `public, max-age=${seconds}`;

/** Adds the documents, and Swagger UI with its files. All files come from the installation, none from a network. */
export function addDocs(router: Router, documents: Documents): void {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const [page, start, style] = [PAGE, START, STYLE].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
  const openapi = once(async () => Buffer.from(JSON.stringify(await documents.openapi())));
  const asyncapi = once(async () => Buffer.from(JSON.stringify(await documents.asyncapi())));
  const postman = once(async () => Buffer.from(JSON.stringify(await documents.postman())));

  router.get('/', (_req, res) => {
    res.statusCode = 302;
    res.setHeader('Location', '/docs');
    res.setHeader('Content-Length', '0');
    res.end();
  });
  router.get('/openapi.json', async (_req, res) => sendJson(res, 200, await openapi()));
  router.get('/asyncapi.json', async (_req, res) => sendJson(res, 200, await asyncapi()));
  router.get('/postman.json', async (_req, res) => sendJson(res, 200, await postman()));
  router.get('/docs/openapi', (_req, res) => {
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    sendFile(res, 'text/html; charset=utf-8', page, maxAge(300));
  });
  router.get('/docs/openapi/', redirectTo('../openapi'));
  router.get('/docs/openapi/start.js', (_req, res) => sendFile(res, 'text/javascript; charset=utf-8', start, maxAge(300)));
  router.get('/docs/openapi/page.css', (_req, res) => sendFile(res, 'text/css; charset=utf-8', style, maxAge(300)));
  for (const [name, type] of Object.entries(MEDIA_TYPES)) {
    const file = once(() => readFile(join(root, name)));
    router.get(`/docs/openapi/${name}`, async (_req, res) => sendFile(res, type, await file(), maxAge(86_400)));
  }
}
