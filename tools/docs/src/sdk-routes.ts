// The routes in packages/sdk, made from the contract: the types of each tag's routes in a file of their own, and one table of all routes.
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { comment, FOLDER, HEAD, importsFor, typeOf } from './sdk-types.ts';

/** The JSON body of a route: `undefined` when it has none, `Upload` for a file. */
function bodyType(route: RouteDefinition) {
  if (route.body === undefined) return 'undefined';
  if (route.body === 'multipart') return route.tag === 'Imports' ? 'ImportUpload' : 'Upload';
  return `${typeOf(route.body as JsonSchema, '    ')}${route.bodyOptional ? ' | undefined' : ''}`;
}

/** What a route gives: a file and a table as they come. */
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

/** `Webhook endpoints` → `webhook-endpoints-routes`, the file that holds its routes. */
const fileOf = (tag: string) => `${tag.toLowerCase().replaceAll(' ', '-')}-routes`;

/** `Webhook endpoints` → `WebhookEndpointsRoutes`, the interface in that file. */
const interfaceOf = (tag: string) =>
  `${tag
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Routes`;

const tags = [...new Set(routes.map(({ tag }) => tag))];

/** The file that holds the types of the routes with a tag. */
function tagText(tag: string) {
  const types = routes
    .filter((route) => route.tag === tag)
    .map(routeType)
    .join('');
  const transferred = ['Content', 'ContentStream', 'ImportUpload', 'PdfUpload', 'Upload'].filter((name) => types.includes(`: ${name};`));
  return [
    HEAD,
    importsFor(types, fileOf(tag)),
    transferred.length > 0 ? `import type { ${transferred.join(', ')} } from '../content.ts';\n` : '',
    `\n/** What each route of "${tag}" takes and gives. */\nexport interface ${interfaceOf(tag)} {\n${types}}\n`,
  ].join('');
}

/** The file that joins all routes. */
function routesText() {
  const imports = tags.map((tag) => `import type { ${interfaceOf(tag)} } from './${fileOf(tag)}.ts';\n`).sort();
  const table = routes
    .map((route) => `  ${route.id}: { method: '${route.method}', path: '${route.path}', takesKey: ${route.idempotencyKey === true} },\n`)
    .join('');
  return [
    HEAD,
    ...imports,
    `\n/** What each route takes and gives. */\nexport interface RouteTypes extends ${tags.map(interfaceOf).join(', ')} {}\n\n`,
    `/** Where each route is, and whether it takes the header Idempotency-Key. */\nexport const routes = {\n${table}} as const satisfies Record<keyof RouteTypes, { method: string; path: string; takesKey: boolean }>;\n`,
  ].join('');
}

/** Path from the root → content, for the files that hold the routes. */
export const sdkRouteFiles = (): [string, string][] => [
  ...tags.map((tag): [string, string] => [`${FOLDER}/${fileOf(tag)}.ts`, tagText(tag)]),
  [`${FOLDER}/routes.ts`, routesText()],
];
