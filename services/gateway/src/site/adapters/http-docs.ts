import type { Environment } from '@parcelway/contracts/environment';
import { sendJson } from '@parcelway/http/response';
import type { Router } from 'express';
import type { TableRoute } from '../../proxy/domain/route-table.ts';
import { once } from './compressed.ts';
import { publicGet } from './static-files.ts';

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
  const bytesOf = (document: object): Buffer => Buffer.from(JSON.stringify(document));
  const openapi = once(async () => {
    const { buildOpenApi } = await import('@parcelway/contracts/openapi');
    return bytesOf(buildOpenApi({ environment, baseUrl }));
  });
  const asyncapi = once(async () => {
    const { buildAsyncApi } = await import('@parcelway/contracts/asyncapi');
    return bytesOf(buildAsyncApi({ environment }));
  });
  const postman = once(async () => {
    const { buildPostman } = await import('@parcelway/contracts/postman');
    return bytesOf(buildPostman({ environment, baseUrl }));
  });

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
