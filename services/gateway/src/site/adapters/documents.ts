import type { Environment } from '@parcelway/contracts/environment';
import type { Documents } from './http-docs.ts';

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
