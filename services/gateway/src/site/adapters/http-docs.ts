import { sendJson } from '@parcelway/http/response';
import type { Router } from 'express';
import type { TableRoute } from '../../edge/domain/route-table.ts';
import { once } from './once.ts';
import { publicGet } from './static-files.ts';

/** Makes the documents; called at the first request for each. */
export interface Documents {
  readonly openapi: () => Promise<object>;
  readonly asyncapi: () => Promise<object>;
  /** A collection of requests. */
  readonly postman: () => Promise<object>;
}

/** Routes that are not part of the API itself: probes and documents. */
export const documentRoutes: readonly TableRoute[] = [
  publicGet('home', '/'),
  publicGet('healthz', '/healthz'),
  publicGet('readyz', '/readyz'),
  publicGet('openapi', '/openapi.json'),
  publicGet('asyncapi', '/asyncapi.json'),
  publicGet('postman', '/postman.json'),
];

/** Adds the documents. */
export function addDocs(router: Router, documents: Documents): void {
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
}
