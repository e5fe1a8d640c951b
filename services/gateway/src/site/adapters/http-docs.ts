import type { Environment } from '@parcelway/contracts/environment';
import { sendJson } from '@parcelway/http/response';
import type { Router } from 'express';
import type { TableRoute } from '../../proxy/domain/route-table.ts';
import { once } from './compressed.ts';
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

/**
 * The API's documents, made when they are first asked for: building them costs more than a start should.
 * @param baseUrl address under which merchants reach this gateway
 */
export function describeApi(environment: Environment, baseUrl: string): Documents {
  return {
    async openapi() {
      const { buildOpenApi } = await import('@parcelway/contracts/openapi');
      return buildOpenApi({ environment, baseUrl });
    },
    async asyncapi() {
      const { buildAsyncApi } = await import('@parcelway/contracts/asyncapi');
      return buildAsyncApi({ environment });
    },
    async postman() {
      const { buildPostman } = await import('@parcelway/contracts/postman');
      return buildPostman({ environment, baseUrl });
    },
  };
}
