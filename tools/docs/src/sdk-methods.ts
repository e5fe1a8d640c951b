// The methods of the SDK, read from its source: for the table in docs/sdk.md, and for the client for Python, which has the same.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A method, as it is called, and the id of a route that it calls. */
export interface SdkMethod {
  readonly call: string;
  readonly route: string;
}

/** A method of a resource. */
export interface ResourceMethod {
  readonly name: string;
  /** Names of its parameters, without the options of a call; `?` behind those that may be left out. */
  readonly parameters: readonly string[];
  /** Ids of the routes that it calls. */
  readonly routes: readonly string[];
  /** True for a list that loads further pages. */
  readonly isPaged: boolean;
}

/** A property of the client, such as `forecasts`, and what it can do. */
export interface SdkResource {
  readonly property: string;
  /** Name of its class. */
  readonly type: string;
  /** What it is for, in a sentence. */
  readonly doc: string;
  readonly methods: readonly ResourceMethod[];
}

/** `query: Query = {}` → `query?`; the options of a call, which every method has, are left out. */
function parameterName(parameter: string) {
  const [, name = '', optional = ''] = /^(\w+)(\??)/.exec(parameter) ?? [];
  if (name === 'options') return '';
  return optional !== '' || parameter.includes('=') ? `${name}?` : name;
}

/** Methods of a resource class. */
function methodsIn(source: string): ResourceMethod[] {
  const methods = [...source.matchAll(/^ {2}(?:async )?([a-z]\w+)\(([^)]*)\)[^\n]* \{\n([\s\S]*?)^ {2}\}$/gm)];
  return methods
    .filter(([, name]) => name !== 'constructor')
    .map(([, name = '', parameters = '', body = '']) => ({
      name,
      parameters: parameters.split(/,\s*/).map(parameterName).filter(Boolean),
      routes: [...body.matchAll(/this\s*\.(?:caller\s*\.(?:call|open)|pages)\('(\w+)'/g)].map(([, route = '']) => route),
      isPaged: body.includes('this.pages('),
    }));
}

/** The resources of the client in the checkout at `root`, in their order. */
export function sdkResources(root: string): SdkResource[] {
  const folder = join(root, 'packages/sdk/src');
  const client = readFileSync(join(folder, 'parcelway.ts'), 'utf8');
  const source = readdirSync(join(folder, 'resources'))
    .map((name) => readFileSync(join(folder, 'resources', name), 'utf8'))
    .join('');
  return [...client.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}readonly (\w+): (\w+);/gm)].map(([, doc = '', property = '', type = '']) => ({
    property,
    type,
    doc,
    methods: methodsIn(new RegExp(`^export class ${type} [\\s\\S]*?^}`, 'm').exec(source)?.[0] ?? ''),
  }));
}

/** Every method of the client in the checkout at `root`, with the id of a route that it calls; one that calls two is there twice. */
export function sdkMethods(root: string): SdkMethod[] {
  return sdkResources(root).flatMap(({ property, methods }) =>
    methods.flatMap(({ name, parameters, routes }) =>
      routes.map((route) => ({ call: `${property}.${name}(${parameters.join(', ')})`, route })),
    ),
  );
}
