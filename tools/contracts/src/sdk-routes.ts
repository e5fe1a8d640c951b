// Generates the routes of packages/sdk from the contracts: the types of each route, and a table of all.
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { clientSchemas, comment, HEAD, typeOf } from './sdk-types.ts';

/** The JSON body of a route: `undefined` when it has none, `Upload` for a file. */
function bodyType(route: RouteDefinition) {
  if (route.body === undefined) return 'undefined';
  if (route.body === 'multipart') return route.tag === 'Imports' ? 'ImportUpload' : 'Upload';
  return `${typeOf(route.body as JsonSchema, '    ')}${route.bodyOptional ? ' | undefined' : ''}`;
}

/** Type of the data in a response. Files and tables are streams. */
function dataType({ data }: RouteDefinition) {
  if (data === 'binary') return 'Content';
  return data === 'table' ? 'ContentStream' : typeOf(data as JsonSchema, '    ');
}

function routeType(route: RouteDefinition) {
  const path = pathParameters(route.path);
  const fields = [
    ['path', path.length === 0 ? 'undefined' : `{ ${path.map((name) => `readonly ${name}: string`).join('; ')} }`],
    ['query', route.query ? typeOf(route.query as JsonSchema, '    ') : 'undefined'],
    ['body', bodyType(route)],
    ['data', dataType(route)],
  ];
  const lines = fields.map(([name, type]) => `    readonly ${name}: ${type};\n`).join('');
  return `${comment(`${route.summary}: \`${route.method} ${route.path}\``, '  ')}  readonly ${route.id}: {\n${lines}  };\n`;
}

/** Text of the file with the routes. */
export function sdkRoutes(): string {
  const types = routes.map(routeType).join('');
  const code = types.replace(/\/\*\*.*\*\//g, '');
  const used = clientSchemas.named.map(({ $id }) => $id).filter((name) => new RegExp(`(?<![\\w'])${name}(?![\\w'])`).test(code));
  const table = routes.map(
    ({ id, method, path, idempotencyKey }) => `  ${id}: { method: '${method}', path: '${path}', takesKey: ${idempotencyKey === true} },\n`,
  );
  return `${HEAD}import type { Content, ContentStream, ImportUpload, Upload } from '../content.ts';
import type { ${used.join(', ')} } from './types.ts';

/** What each route takes and gives. */
export interface RouteTypes {
${types}}

/** Where each route is, and whether it takes the header Idempotency-Key. */
export const routes = {
${table.join('')}} as const satisfies Record<keyof RouteTypes, { method: string; path: string; takesKey: boolean }>;
`;
}
