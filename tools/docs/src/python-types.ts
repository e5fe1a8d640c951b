// The types of bodies and queries in clients/python, made from the schemas of the contract: one module, so that every name can be looked up
// when a program runs (pydantic and FastAPI do so).
import { adminStatuses } from '@parcelway/contracts/admin-status';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { FORECAST_STATUS_PATTERN, integerPatternMaximum } from '@parcelway/contracts/text';
import { clientSchemas, describe, type NamedSchema, standIns, words } from '@parcelway/tools-contracts/sdk-types';
import { docstring, isName, pascal, quote, singular } from './python-words.ts';

const { named, webhooks } = clientSchemas;

/** Name of a schema → the schema. */
const byName: ReadonlyMap<string, NamedSchema> = new Map(named.map((schema) => [schema.$id, schema]));

const literal = (values: readonly unknown[]) => `Literal[${values.map(quote).join(', ')}]`;
const union = (types: readonly string[]) => [...new Set(types)].join(' | ');

/** The type of a number or word in a query, where the contract has text with a pattern. */
function queryType(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  if (pattern in integerPatternMaximum) return 'int';
  if (pattern !== FORECAST_STATUS_PATTERN) return undefined;
  return literal([...Object.values(forecastStatuses), ...Object.keys(forecastStatuses)]);
}

function enumType(values: readonly unknown[]): string {
  if (!adminStatuses.every((status) => values.includes(status))) return literal(values);
  const others = values.filter((value) => !adminStatuses.some((status) => status === value));
  return union([...(others.length > 0 ? [literal(others)] : []), 'AdminStatus']);
}

/** Writes types. Objects within objects get a name of their own, made of the names above them. */
export class PythonTypes {
  readonly #texts = new Map<string, string>();

  /** Declarations of the objects within objects that were met, in order. */
  get declarations(): readonly string[] {
    return [...this.#texts.values()];
  }

  /** A schema as a type of Python. @param place name for an object that has none */
  typeOf(schema: JsonSchema, place: string): string {
    const { $id } = schema;
    const other = standIns[$id ?? ''];
    if (other !== undefined) return other;
    return $id !== undefined && byName.has($id) ? $id : this.bodyOf(schema, place);
  }

  /** As {@link typeOf}, of what the schema says, even when it has a name. */
  bodyOf(schema: JsonSchema, place: string): string {
    const branches = schema.anyOf ?? schema.oneOf;
    // `anyOf` beside properties adds conditions (one of two fields is needed), which no type expresses.
    if (branches && !schema.properties) return union(branches.map((branch) => this.typeOf(branch, place)));
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return enumType(schema.enum);
    if (schema.type === 'object') return this.#objectType(schema, place);
    if (schema.type === 'array') return `Sequence[${this.typeOf(schema.items ?? {}, singular(place))}]`;
    const simple: Readonly<Record<string, string>> = {
      string: queryType(schema.pattern) ?? 'str',
      integer: 'int',
      number: 'float',
      boolean: 'bool',
      null: 'None',
    };
    const type = simple[schema.type ?? ''];
    if (!type) throw new Error(`tools/docs/src/python-types.ts has no type for ${JSON.stringify(schema)}`);
    return type;
  }

  #objectType(schema: JsonSchema, place: string): string {
    const { properties = {}, patternProperties } = schema;
    const [value] = Object.values(patternProperties ?? {});
    if (Object.keys(properties).length === 0) return `Mapping[str, ${value ? this.typeOf(value, place) : 'object'}]`;
    const text = this.classOf(place, schema);
    const former = this.#texts.get(place);
    if (byName.has(place) || (former !== undefined && former !== text))
      throw new Error(`Two types of the client for Python are called ${place}`);
    this.#texts.set(place, text);
    return place;
  }

  /** A TypedDict. */
  classOf(name: string, schema: JsonSchema): string {
    const { properties = {}, required = [] } = schema;
    const head = schema.description ?? schema.title ?? words(name);
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = this.typeOf(property, `${name}${pascal(field)}`);
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, doc: describe(property) };
    });
    // A field such as `from`, which is a word of the language.
    if (!fields.every(({ field }) => isName(field))) {
      const entries = fields.map(({ field, type }) => `        ${quote(field)}: ${quote(type)},\n`).join('');
      return `${name} = TypedDict(\n    ${quote(name)},\n    {\n${entries}    },\n)\n${docstring(head, '')}`;
    }
    const lines = fields.map(({ field, type, doc }) => `    ${field}: ${type}\n${docstring(doc, '    ')}`).join('');
    return `class ${name}(TypedDict):\n${docstring(head, '    ')}\n${lines}`;
  }
}

const isClass = ({ type, properties }: JsonSchema) => type === 'object' && Object.keys(properties ?? {}).length > 0;

/** Aliases in an order in which each comes after those that it names. */
function inOrder(aliases: ReadonlyMap<string, { readonly type: string; readonly text: string }>): string[] {
  const done = new Map<string, string>();
  const add = (name: string): void => {
    const alias = aliases.get(name);
    if (alias === undefined || done.has(name)) return;
    for (const other of alias.type.match(/\b[A-Z]\w+/g) ?? []) if (other !== name) add(other);
    done.set(name, alias.text);
  };
  for (const name of aliases.keys()) add(name);
  return [...done.values()];
}

const HEAD = `# Made from the contract by \`npm run docs\`; do not edit.
"""Types of what the API takes and gives: dictionaries with the fields that the API reference names."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Literal, Union

if sys.version_info >= (3, 12):
    from typing import NotRequired, TypeAlias, TypedDict
else:
    from typing_extensions import NotRequired, TypeAlias, TypedDict
`;

/** \`A | B\` of an alias, which is read when the module is loaded: classes with \`|\` are, strings in it are not. */
const loaded = (type: string) => (type.includes(' | ') ? `Union[${type.split(' | ').join(', ')}]` : type);

/** The text of the module with all types. */
export function pythonTypes(): string {
  const types = new PythonTypes();
  const aliases = new Map<string, { readonly type: string; readonly text: string }>();
  const alias = (name: string, type: string, doc: string) =>
    aliases.set(name, { type, text: `${name}: TypeAlias = ${loaded(type)}\n${docstring(doc, '')}` });
  alias('AdminStatus', literal(adminStatuses), 'Status of a parcel in transit, as the platform reports it.');
  alias('WebhookEventType', literal(webhooks.map(({ properties }) => properties?.['type']?.const)), 'Kind of an event.');
  alias('WebhookEvent', webhooks.map(({ $id }) => $id).join(' | '), 'An event as a webhook and the feed carry it; `type` says which.');
  alias('SecretRotated', 'EndpointCreated', 'The endpoint after a rotation, with its new secret.');
  const classes = [...byName.values()].filter(isClass).map((schema) => types.classOf(schema.$id, schema));
  for (const schema of byName.values()) {
    if (!isClass(schema)) alias(schema.$id, types.bodyOf(schema, schema.$id), schema.description ?? schema.title ?? words(schema.$id));
  }
  return [HEAD, ...[...types.declarations, ...classes, ...inOrder(aliases)].map((text) => `\n${text}`)].join('\n');
}
