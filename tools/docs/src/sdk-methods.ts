// The methods of the SDK, read from its source, for the table in docs/sdk.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A method, as it is called, and the id of a route that it calls. */
export interface SdkMethod {
  readonly call: string;
  readonly route: string;
}

/** `query: Query = {}` → `query?`; the options of a call, which every method has, are left out. */
function parameterName(parameter: string) {
  const [, name = '', optional = ''] = /^(\w+)(\??)/.exec(parameter) ?? [];
  if (name === 'options') return '';
  return optional !== '' || parameter.includes('=') ? `${name}?` : name;
}

/** Methods of a resource class: call and the routes that it leads to. */
function methodsIn(source: string) {
  const methods = [...source.matchAll(/^ {2}(?:async )?([a-z]\w+)\(([^)]*)\)[^\n]* \{\n([\s\S]*?)^ {2}\}$/gm)];
  return methods
    .filter(([, name]) => name !== 'constructor')
    .map(([, name, parameters = '', body = '']) => ({
      call: `${name}(${parameters.split(', ').map(parameterName).filter(Boolean).join(', ')})`,
      routes: [...body.matchAll(/#caller\s*\.(?:call|open)\('(\w+)'/g)].map(([, route = '']) => route),
    }));
}

/** Every method of the client in the checkout at `root`, with the id of a route that it calls; one that calls two is there twice. */
export function sdkMethods(root: string): SdkMethod[] {
  const folder = join(root, 'packages/sdk/src');
  const client = readFileSync(join(folder, 'parcelway.ts'), 'utf8');
  const imports = client.matchAll(/import \{ (\w+) \} from '\.\/(resources\/[\w-]+\.ts)'/g);
  const fileOf: Readonly<Record<string, string>> = Object.fromEntries([...imports].map(([, name, file]) => [name, file]));
  return [...client.matchAll(/^ {2}readonly (\w+): (\w+);/gm)].flatMap(([, property, type = '']) =>
    methodsIn(readFileSync(join(folder, fileOf[type] ?? ''), 'utf8')).flatMap(({ call, routes }) =>
      routes.map((route) => ({ call: `${property}.${call}`, route })),
    ),
  );
}
