// The resources of clients/python: the methods of the client for Node under the same names, for calls that wait and for asyncio. What a method
// takes and gives is read from the contract; its name and its resource from packages/sdk, so that both clients have the same.

import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { uploadOf } from '@parcelway/contracts/openapi-files';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routeOf } from '@parcelway/contracts/routes';
import { type ResourceMethod, type SdkResource, sdkResources } from '@parcelway/tools-contracts/sdk-resources';
import { bodies, fixed, formFields, namedByHand, otherwise, type PythonCall, pythonRoutes, taken } from './python-routes.ts';
import { PythonTypes } from './python-types.ts';
import { docstring, isName, pascal, quote, snake } from './python-words.ts';

type Mode = 'sync' | 'async';

interface Parameter {
  readonly name: string;
  readonly type: string;
  /** Default, as Python writes it. */
  readonly fallback?: string;
  /** True when it has to be named. */
  readonly named?: boolean;
}

/** Types of queries and responses in words of `parcelway.types`. */
function inTypes(type: string): string {
  return type.replace(/"[^"]*"|\b[A-Z]\w*/g, (word) => (/^("|None$|Literal$|Sequence$|Mapping$)/.test(word) ? word : `t.${word}`));
}

const types = new PythonTypes();

function typeOf(schema: unknown, place: string): string {
  const type = inTypes(types.typeOf(schema as JsonSchema, place));
  if (types.declarations.length > 0) throw new Error(`${place} needs a schema with an $id, so that its type has a name`);
  return type;
}

const propertiesOf = (schema: unknown) => (schema ?? {}) as { properties?: Record<string, JsonSchema>; required?: readonly string[] };

function queryParameters(route: RouteDefinition): Parameter[] {
  const { properties = {}, required = [] } = propertiesOf(route.query);
  const parameters = Object.entries(properties).map(([name, schema]): Parameter => {
    if (taken.has(name) || !isName(name))
      throw new Error(`The query of ${route.id} has ${name}, which no parameter of Python can be called`);
    // The platform reads several types from one text with commas; the client joins them.
    const type = name === 'event_types' ? 'Sequence[t.WebhookEventType]' : typeOf(schema, pascal(name));
    return required.includes(name) ? { name, type } : { name, type: `${type} | None`, fallback: 'None', named: true };
  });
  return [...parameters.filter(({ named }) => named !== true), ...parameters.filter(({ named }) => named === true)];
}

/** Names of the fields of an upload beside the file. */
function formNames(route: RouteDefinition): string[] {
  if (route.body !== 'multipart') return [];
  const names = Object.keys(propertiesOf(uploadOf(route).schema).properties ?? {}).filter((name) => name !== 'file');
  for (const name of names)
    if (formFields[name] === undefined)
      throw new Error(`The form of ${route.id} has ${name}: say in python-resources.ts what that is in Python`);
  return names;
}

function bodyParameters(route: RouteDefinition, method: ResourceMethod): Parameter[] {
  if (route.body === undefined) return [];
  const name = snake(method.body ?? 'body');
  if (route.body === 'multipart') {
    return [
      { name, type: 'FileSource' },
      { name: 'name', type: 'str | None', fallback: 'None', named: true },
      ...formNames(route).map((field) => ({ name: field, type: `${formFields[field]?.type} | None`, fallback: 'None', named: true })),
    ];
  }
  const type = [typeOf(route.body, pascal(name)), bodies[route.id]?.type].filter((each) => each !== undefined).join(' | ');
  return route.bodyOptional ? [{ name, type: `${type} | None`, fallback: 'None' }] : [{ name, type }];
}

const fixedOf = (resource: SdkResource, method: ResourceMethod) => fixed[`${resource.property}.${method.name}`];

/** All parameters of a method but the options. */
function parametersOf(route: RouteDefinition, resource: SdkResource, method: ResourceMethod): Parameter[] {
  const path = pathParameters(route.path).map((name): Parameter => ({ name, type: 'str' }));
  const query = queryParameters(route).filter(({ name }) => fixedOf(resource, method)?.query[name] === undefined);
  return [...path, ...bodyParameters(route, method), ...query];
}

const optionsType = (route: RouteDefinition) =>
  route.ifMatch ? 'CorrectionOptions' : route.idempotencyKey ? 'CreationOptions' : 'CallOptions';

function signatureOf(parameters: readonly Parameter[], options: string): string {
  const write = ({ name, type, fallback }: Parameter) => `        ${name}: ${type}${fallback === undefined ? '' : ` = ${fallback}`},\n`;
  const free = parameters.filter(({ named }) => named !== true).map(write);
  const named = parameters.filter((parameter) => parameter.named === true).map(write);
  return `        self,\n${free.join('')}${named.length > 0 ? `        *,\n${named.join('')}` : ''}        **options: Unpack[${options}],\n`;
}

/** The body of a call, as the contract has it. */
const madeOf = ({ id }: RouteDefinition, body = ''): string => (bodies[id] === undefined ? body : `${bodies[id].made}(${body})`);

/** What follows the id of the route in a call. */
function partsOf(route: RouteDefinition, parameters: readonly Parameter[], values: Readonly<Record<string, string>> = {}): string {
  const argumentFor = (name: string) => (values[name] === undefined ? name : quote(values[name]));
  const dictionary = (names: readonly string[]) => `{${names.map((name) => `${quote(name)}: ${argumentFor(name)}`).join(', ')}}`;
  const path = pathParameters(route.path);
  const query = Object.keys(propertiesOf(route.query).properties ?? {});
  const body = parameters.find(({ name }) => !path.includes(name) && !query.includes(name))?.name;
  return [
    path.length > 0 ? `path=${dictionary(path)}` : '',
    query.length > 0 ? `query=${dictionary(query)}` : '',
    route.body === undefined ? '' : route.body === 'multipart' ? `upload=(${body}, name)` : `body=${madeOf(route, body)}`,
    formNames(route).length > 0 ? `form=${dictionary(formNames(route))}` : '',
    'options=options',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The declarations of a method whose response depends on a parameter. @param head of the method, for some parameters */
function overloadsOf(
  parameters: readonly Parameter[],
  { name, value, data: otherData }: { readonly name: string; readonly value: string; readonly data: string },
  head: (of: readonly Parameter[]) => string,
  data: string,
): string {
  const without = parameters.map((each) => (each.name === name ? { ...each, type: each.type.replace(`${quote(value)}, `, '') } : each));
  const withIt = parameters.map((each): Parameter => (each.name === name ? { name, type: `Literal[${quote(value)}]`, named: true } : each));
  return [
    [without, data],
    [withIt, otherData],
  ]
    .map(([of, type]) => `    @overload\n${head(of as readonly Parameter[])}${type as string}: ...\n\n`)
    .join('');
}

function methodText(resource: SdkResource, method: ResourceMethod, mode: Mode): string {
  const [id = ''] = method.routes;
  if (method.routes.length !== 1)
    throw new Error(`${resource.property}.${method.name} calls several routes: write it by hand, and say so in python-resources.ts`);
  const route = routeOf(id);
  const parameters = parametersOf(route, resource, method);
  const { query: values, summary = route.summary } = fixedOf(resource, method) ?? {};
  const prefix = mode === 'sync' ? '' : 'Async';
  const isStream = route.data === 'table';
  const data = isStream ? `${prefix}ContentStream` : route.data === 'binary' ? 'Content' : typeOf(route.data, pascal(id));
  const signature = signatureOf(parameters, optionsType(route));
  const doc = docstring(
    [
      `${summary}.`,
      route.description,
      ...formNames(route).map((name) => `${name}: ${formFields[name]?.doc}`),
      `\`${route.method} ${route.path}\``,
    ]
      .filter(Boolean)
      .join('\n\n'),
    '        ',
  );
  const call = `self._caller.${isStream ? 'stream' : 'call'}(${quote(id)}, ${partsOf(route, parameters, values)})`;
  if (method.items !== undefined) {
    const type = typeOf(propertiesOf(route.data).properties?.[method.items]?.items, pascal(method.items));
    // The page is asked for later; what is wrong with the arguments is said now.
    const page = `        check_options(${quote(id)}, options)

        def fetch(next_cursor: str | None) -> ${mode === 'sync' ? data : `Awaitable[${data}]`}:
            page: ${mode === 'sync' ? data : `Awaitable[${data}]`} = ${call.replace('"cursor": cursor', '"cursor": next_cursor')}
            return page

        return ${prefix}Paged(fetch, ${quote(method.items)}, cursor)\n`;
    return `    def ${snake(method.name)}(\n${signature}    ) -> ${prefix}Paged[${type}, ${data}]:\n${doc}\n${page}`;
  }
  const [define, wait] = mode === 'sync' ? ['def', ''] : ['async def', 'await '];
  const head = (of: readonly Parameter[]): string =>
    `    ${define} ${snake(method.name)}(\n${signatureOf(of, optionsType(route))}    ) -> `;
  const other = otherwise[id];
  const overloads = other === undefined ? '' : overloadsOf(parameters, other, head, data);
  const type = other === undefined ? data : `${data} | ${other.data}`;
  return `${overloads}${head(parameters)}${type}:\n${doc}        data: ${type} = ${wait}${call}\n        return data\n`;
}

function classText(resource: SdkResource, mode: Mode): string {
  const name = `${mode === 'sync' ? '' : 'Async'}${resource.type}`;
  const own = resource.methods.filter((method) => !method.isByHand);
  const base = own.length < resource.methods.length ? `${name}ByHand` : `${mode === 'sync' ? '' : 'Async'}Resource`;
  const methods = own.map((method) => `\n${methodText(resource, method, mode)}`).join('');
  return `class ${name}(${base}):\n${docstring(resource.doc, '    ')}${methods}`;
}

/** Text of the module with the resources. */
function resourcesText(mode: Mode): string {
  const prefix = mode === 'sync' ? '' : 'Async';
  const classes = sdkResources.map((resource) => `\n\n${classText(resource, mode)}`);
  const bases = classes.flatMap((text) => /^class \w+\((\w+ByHand)\)/m.exec(text)?.[1] ?? []);
  const annotations = sdkResources
    .map(({ doc, property, type }) => `    ${snake(property)}: ${prefix}${type}\n${docstring(doc, '    ')}`)
    .join('');
  const made = sdkResources.map(({ property, type }) => `        self.${snake(property)} = ${prefix}${type}(caller)\n`).join('');
  return `# Made from the contract by \`npm run docs\`; do not edit.
"""The methods of the client${mode === 'sync' ? '' : ' for asyncio'}, by resource."""

from __future__ import annotations

${mode === 'sync' ? 'from collections.abc import Mapping, Sequence' : 'from collections.abc import Awaitable, Mapping, Sequence'}
from typing import TYPE_CHECKING, Literal, overload

from .. import types as t
from .._batch import ${[...new Set(Object.values(bodies).map(({ made }) => made))].join(', ')}
from .._${mode === 'sync' ? '' : 'async_'}by_hand import ${[...bases, `${prefix}Resource`].sort().join(', ')}
from .._${mode === 'sync' ? '' : 'async_'}caller import ${prefix}Caller
from .._files import FileSource
from .._options import CallOptions, CorrectionOptions, CreationOptions, check_options
from .._paged import ${prefix}Paged
${classes.some((text) => /-> Content:/.test(text)) ? 'from .._response import Content\n' : ''}from .._stream import ${prefix}ContentStream

if TYPE_CHECKING:
    from typing_extensions import Unpack
${classes.join('')}

class ${prefix}Resources:
    """What a client can do."""

${annotations}
    def __init__(self, caller: ${prefix}Caller) -> None:
${made}`;
}

/** Id of a route → the methods that call it, and the parameters that they accept by name. */
function methodsByRoute(): ReadonlyMap<string, PythonCall> {
  const calls = new Map<string, PythonCall>();
  for (const resource of sdkResources)
    for (const method of resource.methods)
      for (const id of method.routes) {
        const path = `${resource.property}.${method.name}`;
        const named = method.isByHand
          ? [...Object.keys(propertiesOf(routeOf(id).query).properties ?? {}), ...(namedByHand[path] ?? [])]
          : parametersOf(routeOf(id), resource, method)
              .filter((each) => each.named === true)
              .map(({ name }) => name);
        const former = calls.get(id);
        calls.set(id, {
          method: [...(former === undefined ? [] : [former.method]), path.split('.').map(snake).join('.')].join(' or '),
          parameters: [...new Set([...(former?.parameters ?? []), ...named])],
        });
      }
  return calls;
}

/** Name of a module below clients/python/src/parcelway/_generated → its text. */
export function pythonResources(): [string, string][] {
  return [
    ['__init__.py', '"""Made from the contract by `npm run docs`; do not edit."""\n'],
    ['resources.py', resourcesText('sync')],
    ['async_resources.py', resourcesText('async')],
    ['routes.py', pythonRoutes(methodsByRoute())],
  ];
}

/** What is between the brackets of a method in the table of methods; `…` for parameters that may be named. */
function argumentsOf(resource: SdkResource, method: ResourceMethod): string {
  if (method.isByHand) return method.parameters.map((name) => (name === 'query?' ? '…' : name)).join(', ');
  const parameters = parametersOf(routeOf(method.routes[0] ?? ''), resource, method);
  const free = parameters.filter(({ named }) => named !== true).map(({ name, fallback }) => (fallback === undefined ? name : `${name}?`));
  return [...free, ...(free.length < parameters.length ? ['…'] : [])].join(', ');
}

/** A method, as it is called, and the id of a route that it calls. */
export interface ClientMethod {
  readonly call: string;
  readonly route: string;
}

/** The methods of the client for Python: how each is called, and the ids of the routes that it calls. */
export function pythonMethods(): ClientMethod[] {
  return sdkResources.flatMap((resource) =>
    resource.methods.flatMap((method) =>
      method.routes.map((route) => ({
        call: `${snake(resource.property)}.${snake(method.name)}(${argumentsOf(resource, method)})`,
        route,
      })),
    ),
  );
}
