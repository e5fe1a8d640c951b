// Generates the resources of packages/sdk: what its resources.json declares, with the parameters and results that the contract says.
import { readFileSync } from 'node:fs';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routeOf } from '@parcelway/contracts/routes';
import { bodyType, clientSchemas, comment, HEAD, typeOf } from './sdk-types.ts';

/** A method as resources.json has it. */
type Declared = {
  /**
   * True when the call may be made twice although it is no GET: it only looks, or the platform recognises the repeat by itself (a submission by its po_number and
   * content, a cancellation by its po_number, a PDF by its content, the deletion of a file by its attachment_id, an image of a forecast by its image_id, a
   * warehouse event by its event_id, a claim or dismissal by its event, a change by its values).
   */
  readonly repeatable?: true;
} & (
  | {
      /** Id of the route that it calls. */
      readonly route: string;
      readonly doc: string;
      /** What its body is called. */
      readonly body?: string;
      /** What it sends in the query; the caller then has no say in that. */
      readonly query?: Readonly<Record<string, string>>;
      /** The list in a page, for a method that loads further pages. */
      readonly items?: string;
    }
  /** One that does more than call a route, in `by-hand.ts`, `_by_hand.py` and `_async_by_hand.py`: its parameters without the options of a call, `?` behind those that may be left out. */
  | { readonly byHand: readonly string[]; readonly routes: readonly string[] }
);

interface DeclaredResource {
  /** Property of the client, such as `forecasts`. */
  readonly property: string;
  /** Name of its class. */
  readonly type: string;
  /** What the property is for, in a sentence. */
  readonly doc: string;
  /** What the class says of itself. */
  readonly about: string;
  readonly methods: Readonly<Record<string, Declared>>;
}

const declared = JSON.parse(
  readFileSync(new URL('../../../packages/sdk/resources.json', import.meta.url), 'utf8'),
) as readonly DeclaredResource[];

const routesOf = (method: Declared): readonly string[] => ('byHand' in method ? method.routes : [method.route]);

const repeatable = new Set(
  declared.flatMap(({ methods }) => Object.values(methods).flatMap((method) => (method.repeatable ? routesOf(method) : []))),
);

/** True when the call may be made twice, whatever came of the first one. */
export const isRepeatable = ({ id, method }: RouteDefinition): boolean => method === 'GET' || repeatable.has(id);

/** A parameter of a method. */
interface Parameter {
  readonly name: string;
  readonly type: string;
  /** `?`, or a default, for one that may be left out. */
  readonly optional?: '?' | '{}';
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Parameters of a path that are numbers for a caller. */
const numbers = new Set(['attachment_id', 'image_number']);

/** A batch may also be given as the list of its forecasts. */
const isBatch = ({ id }: RouteDefinition): boolean => id === 'submitForecastBatch';

type Called = Extract<Declared, { route: string }>;

/** The only parameter of a query when it has to be given: it is a parameter of the method then. */
function soleParameter(route: RouteDefinition): string | undefined {
  const { properties = {}, required = [] } = (route.query ?? {}) as JsonSchema;
  return Object.keys(properties).length === 1 ? required[0] : undefined;
}

function parametersOf(route: RouteDefinition, { body, query }: Called): Parameter[] {
  const sole = soleParameter(route);
  return [
    ...pathParameters(route.path).map((name) => ({ name: camel(name), type: numbers.has(name) ? 'number' : 'string' })),
    ...(body === undefined
      ? []
      : [
          isBatch(route)
            ? { name: body, type: 'readonly ForecastSubmission[] | ForecastBatch' }
            : { name: body, type: bodyType(route), ...(route.bodyOptional && { optional: '?' as const }) },
        ]),
    ...(route.query === undefined || query !== undefined
      ? []
      : [
          sole === undefined
            ? { name: 'query', type: typeOf(route.query as JsonSchema), optional: '{}' as const }
            : { name: camel(sole), type: 'string' },
        ]),
  ];
}

/** What follows the id of the route in a call. */
function partsOf(route: RouteDefinition, { body, query }: Called): string {
  const path = pathParameters(route.path).map((name) => `${name}: ${numbers.has(name) ? `String(${camel(name)})` : camel(name)}`);
  const sole = soleParameter(route);
  const sent = query === undefined ? (sole === undefined ? 'query' : `{ ${sole}: ${camel(sole)} }`) : JSON.stringify(query);
  return [
    ...(path.length > 0 ? [`path: { ${path.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: ${isBatch(route) ? `batchOf(${body})` : body}`]),
    ...(route.query === undefined ? [] : [`query: ${sent}`]),
  ].join(', ');
}

/** @throws Error when the method names no body for a route that takes one, or one for a route that takes none */
function methodText(name: string, method: Called): string {
  const route = routeOf(method.route);
  if ((method.body === undefined) !== (route.body === undefined))
    throw new Error(`resources.json: ${name} has to name the body of ${route.id} if it takes one`);
  const given = parametersOf(route, method).map(({ name, type, optional }) =>
    optional === '{}' ? `${name}: ${type} = {}` : `${name}${optional ?? ''}: ${type}`,
  );
  const head = `  ${name}(${[...given, `options?: ${route.ifMatch ? 'CorrectionOptions' : 'CallOptions'}`].join(', ')}) {`;
  const call = `'${route.id}', { ${partsOf(route, method)} }`;
  const asked =
    method.items === undefined
      ? `this.caller.${route.data === 'table' ? 'open' : 'call'}(${call}, options)`
      : `this.pages(${call}, (page) => page.${method.items}, options)`;
  return `\n${comment(method.doc, '  ')}${head}\n    return ${asked};\n  }\n`;
}

const isByHand = (method: Declared) => 'byHand' in method;

function classText({ type, about, methods }: DeclaredResource): string {
  const base = Object.values(methods).some(isByHand) ? `${type}ByHand` : 'Resource';
  const texts = Object.entries(methods).map(([name, method]) => ('byHand' in method ? '' : methodText(name, method)));
  return `\n${comment(about, '')}export class ${type} extends ${base} {${texts.join('')}}\n`;
}

/** Text of the file with the resources. */
export function sdkResourcesText(): string {
  const classes = declared.map(classText).join('');
  const used = clientSchemas.named.map(({ $id }) => $id).filter((name) => new RegExp(`: [^'\\n]*\\b${name}\\b(?!')`).test(classes));
  const uploads = ['ImportUpload', 'PdfUpload', 'Upload'].filter((name) => classes.includes(`: ${name},`));
  const bases = declared.filter(({ methods }) => Object.values(methods).some(isByHand)).map(({ type }) => `${type}ByHand`);
  return `${HEAD}import { batchOf } from '../batch.ts';
import { ${bases.join(', ')} } from '../by-hand.ts';
import type { Caller } from '../caller.ts';
import type { ${uploads.join(', ')} } from '../content.ts';
import type { CallOptions, CorrectionOptions } from '../options.ts';
import { Resource } from '../resource.ts';
import type { ${used.join(', ')} } from './types.ts';
${classes}
/** What a client can do. */
export abstract class Resources {
${declared.map(({ doc, property, type }) => `${comment(doc, '  ')}  readonly ${property}: ${type};\n`).join('')}
  constructor(caller: Caller) {
${declared.map(({ property, type }) => `    this.${property} = new ${type}(caller);\n`).join('')}  }
}
`;
}

/** A method of a resource. */
export interface ResourceMethod {
  readonly name: string;
  /** Names of its parameters, without the options of a call; `?` behind those that may be left out. */
  readonly parameters: readonly string[];
  /** True when both clients have it in files that are written by hand. */
  readonly isByHand: boolean;
  /** What its body is called; undefined when it has none. */
  readonly body?: string | undefined;
  /** Ids of the routes that it calls. */
  readonly routes: readonly string[];
  /** The list in a page, for a method that loads further pages. */
  readonly items?: string | undefined;
}

/** A property of the client, such as `forecasts`, and what it can do. */
export interface SdkResource extends Pick<DeclaredResource, 'property' | 'type' | 'doc'> {
  readonly methods: readonly ResourceMethod[];
}

function methodOf(name: string, method: Declared): ResourceMethod {
  if ('byHand' in method) return { name, parameters: method.byHand, isByHand: true, routes: method.routes };
  const parameters = parametersOf(routeOf(method.route), method).map((one) => (one.optional === undefined ? one.name : `${one.name}?`));
  return { name, parameters, isByHand: false, body: method.body, routes: [method.route], items: method.items };
}

/** The resources of the clients, in their order. */
export const sdkResources: readonly SdkResource[] = declared.map(({ methods, ...resource }) => ({
  ...resource,
  methods: Object.entries(methods).map(([name, method]) => methodOf(name, method)),
}));
