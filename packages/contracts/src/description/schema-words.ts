/* What schemas allow, in words. */

import { patternMessages } from '../text.ts';
import type { JsonSchema } from './json-schema.ts';

const code = (text: string): string => `\`${text}\``;

/** A number with commas. */
const number = (value: unknown): string => String(value).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

const messages: Readonly<Record<string, string | undefined>> = patternMessages;

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a real date, `YYYY-MM-DD`',
  'https-url': 'https URL',
  'web-url': 'https or http URL',
  'iso-date-time': 'ISO 8601 with offset',
  'ip-network': 'IPv4 or IPv6 address, or network in CIDR notation',
  identifier: 'visible characters at both ends',
  'logistics-number': '',
  'visible-text': 'a visible character',
};

/** A rule of packages/contracts/src/text.ts as a cell of a table: without its "must". */
const shorten = (message: string) =>
  message
    .replace('must not contain', 'no')
    .replace('must start with', 'starts with')
    .replace(' and contain only', ', then only')
    .replace('must have ', '')
    .replace('must be ', '');

/** Bounds of a length; of the length as sent where the pattern bounds what counts. */
function lengthOf({ minLength = 0, maxLength, pattern = '' }: JsonSchema): string[] {
  if (maxLength === undefined) return [];
  if (/\{\d+,\d+\}/.test(pattern)) return [`at most ${number(maxLength)} characters as sent`];
  return [minLength === 0 ? `at most ${number(maxLength)} characters` : `${minLength} to ${number(maxLength)} characters`];
}

function elementsOf({ minItems = 0, maxItems }: JsonSchema): string[] {
  if (maxItems === undefined) return [];
  return [minItems === 0 ? `at most ${number(maxItems)} elements` : `${minItems} to ${number(maxItems)} elements`];
}

function membersOf({ maxProperties, propertyNames }: JsonSchema): string[] {
  if (maxProperties === undefined) return [];
  return [`at most ${number(maxProperties)} members; names of at most ${number(propertyNames?.maxLength)} characters`];
}

/** Bounds of a number. */
function rangeOf({ minimum, exclusiveMinimum, maximum }: JsonSchema): string[] {
  const low = minimum ?? exclusiveMinimum;
  if (low === undefined) return maximum === undefined ? [] : [`at most ${number(maximum)}`];
  if (maximum !== undefined) return [`${minimum === undefined ? 'more than ' : ''}${number(low)} to ${number(maximum)}`];
  return [minimum === undefined ? `more than ${number(low)}` : `at least ${number(low)}`];
}

/** What a schema allows, in words. */
export function ruleOf(schema: JsonSchema): string {
  const { default: absent, ...rule } = schema;
  return [rulesOf(rule), ...(absent === undefined ? [] : [`default ${code(String(absent))}`])].filter(Boolean).join('; ');
}

function rulesOf(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => code(value === '' ? '""' : String(value))).join(', ')}`;
  if (schema.const !== undefined) return code(String(schema.const));
  const parts = [...lengthOf(schema), ...elementsOf(schema), ...membersOf(schema)];
  if (schema.format && FORMATS[schema.format] !== '') parts.unshift(FORMATS[schema.format] ?? schema.format);
  if (schema.pattern) parts.push(shorten(messages[schema.pattern] ?? schema.pattern));
  parts.push(...rangeOf(schema));
  if (schema.multipleOf !== undefined) parts.push(`at most ${Math.round(-Math.log10(schema.multipleOf))} decimals`);
  if (schema.formatMinimum !== undefined) parts.push(`${schema.formatMinimum} to ${schema.formatMaximum}`);
  return parts.join('; ');
}

/** The type of a schema, in a word. */
export const typeOf = (schema: JsonSchema): string => (schema.type === 'object' ? 'object' : (schema.type ?? 'string'));

/** Every field below a schema that holds a value of its own, by its path; `*` stands for a name that the caller chooses. */
export function leavesOf(schema: JsonSchema, path = ''): [path: string, rule: string][] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.flatMap((branch) => leavesOf(branch, path));
  const own: [string, string][] =
    path === '' || (schema.type === 'object' && schema.maxProperties === undefined) ? [] : [[path, ruleOf(schema)]];
  const below: [string, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, field]): [string, JsonSchema] => [
      path === '' ? name : `${path}.${name}`,
      field,
    ]),
    ...Object.values(schema.patternProperties ?? {}).map((field): [string, JsonSchema] => [`${path}.*`, field]),
    ...(schema.items ? [[`${path}[]`, schema.items] as [string, JsonSchema]] : []),
  ];
  return [...own, ...below.flatMap(([name, field]) => leavesOf(field, name))];
}
