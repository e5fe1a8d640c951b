// Generates the routes of packages/sdk from the contracts: the types of each route, and a table of all.
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { isRepeatable } from './sdk-resources.ts';
import { bodyType, clientSchemas, comment, HEAD, typeOf } from './sdk-types.ts';

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
    ['body', `${bodyType(route)}${route.bodyOptional ? ' | undefined' : ''}`],
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
  const table = routes.map((route) => {
    const { id, method, path, access, body, data } = route;
    const gives = data === 'binary' ? 'file' : data === 'table' ? 'table' : 'json';
    const facts = `takesKey: ${route.idempotencyKey === true}, takesFile: ${body === 'multipart'}, gives: '${gives}', isPublic: ${access === 'public'}, isRepeatable: ${isRepeatable(route)}`;
    return `  ${id}: { method: '${method}', path: '${path}', ${facts} },\n`;
  });
  return `${HEAD}import type { Content, ContentStream, ImportUpload, PdfUpload, Upload } from '../content.ts';
import type { ${used.join(', ')} } from './types.ts';

/** What each route takes and gives. */
export interface RouteTypes {
${types}}

/** A route of the API. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** True when it takes the header Idempotency-Key. */
  readonly takesKey: boolean;
  readonly takesFile: boolean;
  readonly gives: 'json' | 'file' | 'table';
  /** True when it needs no key: what it opens cannot be guessed. */
  readonly isPublic: boolean;
  /** True when the call may be made twice, whatever came of the first one. */
  readonly isRepeatable: boolean;
}

/** The routes. */
export const routes: Readonly<Record<keyof RouteTypes, Route>> = {
${table.join('')}};
`;
}
