import type { Environment } from './environment.ts';
import { routes } from './routes.ts';

/**
 * The OpenAPI 3.1 document of the public API.
 * @param options.baseUrl address under which merchants reach the gateway, without a slash at the end
 */
export function buildOpenApi(options: { readonly environment: Environment; readonly baseUrl: string }): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.sandboxOnly && options.environment !== 'sandbox') continue;
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: {
        operationId: route.id,
        tags: [route.tag],
        summary: route.summary,
        responses: { [route.success]: { description: 'Success' } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parcelway Open API', version: '1.0.0' },
    servers: [{ url: options.baseUrl }],
    paths,
  };
}
