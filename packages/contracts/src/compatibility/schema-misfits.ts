import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../openapi-schemas.ts';
import { alternativesOf, propertiesOf, textWithReferences } from './json-schema.ts';

/** Who writes the values of a contract, and so whose word binds. */
export type Direction =
  /** Others write, we read: what was valid must stay valid. */
  | 'read'
  /** We write, others read: they must receive nothing that was not documented. */
  | 'write';

/** One thing in which the new contract breaks the old one. */
export interface Misfit {
  /** Place in the value, such as `items[].sku_code`; empty for the value itself. */
  readonly path: string;
  /** Keyword of JSON Schema, or what else changed. */
  readonly rule: string;
  /** What changed, in words. */
  readonly change: string;
  /** Alternatives of the schema in which it changed, by the constant that distinguishes them; empty when there is but one. */
  readonly branches: readonly string[];
}

/** Two versions of a document. */
export interface Documents {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

/** How two versions of a schema are compared. */
export interface SchemaComparison extends Documents {
  readonly direction: Direction;
  /** True when the reader validates by the schema and so refuses a field where it says `additionalProperties: false`; false when it ignores unknown fields. */
  readonly strictReaders: boolean;
}

/** Two schemas without alternatives: every value of the narrow one must be a value of the wide one. In direction `read` the old one is the narrow one. */
interface Pair {
  readonly narrow: JsonObject;
  readonly wide: JsonObject;
  readonly path: string;
  readonly comparison: SchemaComparison;
}

const misfit = (path: string, rule: string, change: string): Misfit => ({ path, rule, change, branches: [] });
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** `maxLength: 64 → 32`: the old rule first, whichever side it is on. */
function changed({ narrow, wide, path, comparison }: Pair, key: string, also = ''): Misfit {
  const [before, after] = comparison.direction === 'read' ? [narrow[key], wide[key]] : [wide[key], narrow[key]];
  return misfit(path, key, `${key}: ${shown(before)} → ${shown(after)}${also}`);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** Keywords that constrain a value itself, not its members. */
const OF_VALUES = [
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
];
/** Schema text → its validator. Few schemas differ, and compiling takes most of the time. */
const judges = new Map<string, ValidateFunction>();

function accepts(schema: JsonObject, value: unknown): boolean {
  const text = JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([key]) => OF_VALUES.includes(key))));
  const judge = judges.get(text) ?? ajv.compile(JSON.parse(text) as object);
  judges.set(text, judge);
  return judge(value);
}

const fixedValues = ({ enum: list, const: only }: JsonObject): readonly unknown[] | undefined =>
  only === undefined ? (list as readonly unknown[] | undefined) : [only];

/** Findings where one of the two schemas lists its values; undefined when neither does. */
function fixedMisfits({ narrow, wide, path, comparison }: Pair): Misfit[] | undefined {
  const isRead = comparison.direction === 'read';
  const own = fixedValues(narrow)?.filter((value) => accepts(narrow, value));
  if (own) {
    const otherFormat = wide['format'] !== undefined && wide['format'] !== narrow['format'];
    const refused = own.filter((value) => !accepts(wide, value) || (otherFormat && typeof value === 'string'));
    const say = isRead ? 'no longer allowed' : 'new, and not documented before';
    return refused.map((value) => misfit(path, `enum ${shown(value)}`, `the value ${shown(value)} is ${say}`));
  }
  const list = fixedValues(wide)?.map(shown).join(', ');
  return list === undefined ? undefined : [misfit(path, 'enum', isRead ? `only ${list} allowed now` : `no longer only ${list}`)];
}

/** Maps each bound to its direction and to the value that applies when it is absent. */
const BOUNDS: Readonly<Record<string, readonly [greaterAllowsMore: boolean, absent: number]>> = {
  ...Object.fromEntries(['minLength', 'minItems', 'minProperties'].map((key) => [key, [false, 0] as const])),
  ...Object.fromEntries(['minimum', 'exclusiveMinimum'].map((key) => [key, [false, Number.NEGATIVE_INFINITY] as const])),
  ...Object.fromEntries(
    ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'].map((key) => [
      key,
      [true, Number.POSITIVE_INFINITY] as const,
    ]),
  ),
};
/** Keywords that are compared for equality only. */
const AS_THEY_ARE = ['pattern', 'format', 'multipleOf', 'propertyNames', 'patternProperties', 'uniqueItems', 'if', 'then', 'else'];

/** The documents of the narrow schema and of the wide one. */
const documentsOf = ({ direction, old, new: current }: SchemaComparison): readonly [JsonObject, JsonObject] =>
  direction === 'read' ? [old, current] : [current, old];

function isSame({ narrow, wide, comparison }: Pair, key: string): boolean {
  const [own, limit] = [JSON.stringify(narrow[key]), JSON.stringify(wide[key])];
  if (own !== limit || !own?.includes('"$ref"')) return own === limit;
  const [narrowDocument, wideDocument] = documentsOf(comparison);
  return textWithReferences(narrow[key], narrowDocument) === textWithReferences(wide[key], wideDocument);
}

function ruleMisfits(pair: Pair): Misfit[] {
  const tighter = Object.entries(BOUNDS).filter(([key, [greaterAllowsMore, absent]]) => {
    const limit = pair.wide[key] as number | undefined;
    const own = (pair.narrow[key] as number | undefined) ?? absent;
    return limit !== undefined && (greaterAllowsMore ? own > limit : own < limit);
  });
  const others = AS_THEY_ARE.filter((key) => pair.wide[key] !== undefined && !isSame(pair, key));
  return [...tighter.map(([key]) => key), ...others].map((key) => changed(pair, key));
}

const NAME = /^(?:\w[\w-]*|\*)$/;
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${NAME.test(name) ? name : JSON.stringify(name)}`);

function propertyMisfits({ narrow, wide, path, comparison }: Pair): Misfit[] {
  const isRead = comparison.direction === 'read';
  const [own, allowed] = [propertiesOf(narrow), propertiesOf(wide)];
  const [before, after] = isRead ? [own, allowed] : [allowed, own];
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const required = ((wide['required'] ?? []) as string[]).filter((name) => !((narrow['required'] ?? []) as string[]).includes(name));
  const added = (name: string): string => (Object.hasOwn(before, name) ? 'is required now' : 'is new and required');
  return [
    ...required
      .filter((name) => !gone.includes(name))
      .map((name) => misfit(below(path, name), 'required', isRead ? added(name) : 'is no longer always there')),
    ...gone.map((name) => misfit(below(path, name), 'removed', isRead ? 'is no longer read: what is sent in it is lost' : 'is gone')),
    ...Object.entries(own).flatMap(([name, schema]) => {
      const other = allowed[name];
      return other === undefined ? [] : compare(schema, other, below(path, name), comparison);
    }),
  ];
}

/** Findings for fields that the wide schema does not name. */
function otherFieldMisfits(pair: Pair): Misfit[] {
  const { narrow, wide, path, comparison } = pair;
  const limit = wide['additionalProperties'] ?? true;
  const isRead = comparison.direction === 'read';
  if (limit === true || (limit === false && !isRead && !comparison.strictReaders)) return [];
  if (!isSame(pair, 'additionalProperties'))
    return [misfit(path, 'additionalProperties', isRead ? 'unknown fields are refused now' : 'has other fields now')];
  const unknown = Object.keys(propertiesOf(narrow)).filter((name) => !isRead && !Object.hasOwn(propertiesOf(wide), name));
  return unknown.map((name) => misfit(below(path, name), 'additionalProperties', 'is new, and readers refuse what they do not know'));
}

function comparePlain(pair: Pair): Misfit[] {
  const { narrow, wide, path, comparison } = pair;
  const fixed = fixedMisfits(pair);
  const type = wide['type'];
  if (
    fixedValues(narrow) === undefined &&
    type !== undefined &&
    narrow['type'] !== type &&
    !(narrow['type'] === 'integer' && type === 'number')
  )
    return [changed(pair, 'type')];
  const otherDefault = comparison.direction === 'read' && narrow['default'] !== undefined && narrow['default'] !== wide['default'];
  const items =
    wide['items'] === undefined ? [] : compare((narrow['items'] ?? {}) as JsonObject, wide['items'] as JsonObject, `${path}[]`, comparison);
  return [
    ...(fixed ?? ruleMisfits(pair)),
    ...(otherDefault ? [changed(pair, 'default', ' when it is left out')] : []),
    ...items,
    ...propertyMisfits(pair),
    ...otherFieldMisfits(pair),
  ];
}

/** The constant that distinguishes an alternative from the others, such as the type of an event. */
function labelOf(schema: JsonObject): readonly string[] {
  const fixed = Object.values(propertiesOf(schema)).find((property) => typeof property['const'] === 'string');
  return fixed ? [fixed['const'] as string] : [];
}

/** How little two alternatives have in common: the one that was meant differs least. */
function distance(narrow: JsonObject, wide: JsonObject, misfits: readonly Misfit[]): number {
  const other = labelOf(narrow).join() === labelOf(wide).join() ? 0 : 1000;
  return misfits.length + other + (narrow['type'] === wide['type'] ? 0 : 100);
}

/** Equal misfits of several alternatives as one, with the names of all. */
function joined(misfits: readonly Misfit[]): Misfit[] {
  const byText = new Map<string, Misfit>();
  for (const each of misfits) {
    const key = `${each.path}\n${each.rule}\n${each.change}`;
    const before = byText.get(key);
    byText.set(key, before ? { ...before, branches: [...new Set([...before.branches, ...each.branches])] } : each);
  }
  return [...byText.values()];
}

function compare(narrow: JsonObject, wide: JsonObject, path: string, comparison: SchemaComparison): Misfit[] {
  if (Object.keys(wide).length === 0) return [];
  const [narrowDocument, wideDocument] = documentsOf(comparison);
  const options = alternativesOf({ schema: wide, document: wideDocument });
  const own = alternativesOf({ schema: narrow, document: narrowDocument });
  return joined(
    own.flatMap((each) => {
      const tries = options.map((option) => {
        const misfits = comparePlain({ narrow: each, wide: option, path, comparison });
        return { misfits, distance: distance(each, option, misfits) };
      });
      if (tries.some(({ misfits }) => misfits.length === 0)) return [];
      const [nearest] = tries.sort((a, b) => a.distance - b.distance);
      const branches = own.length > 1 ? labelOf(each) : [];
      return (nearest?.misfits ?? []).map((found) => ({ ...found, branches: [...branches, ...found.branches] }));
    }),
  );
}

/**
 * In what the new version of a schema breaks the old one; empty when it does not. It errs on the safe side: what it cannot prove
 * to be harmless, such as another pattern or condition, it names.
 * @param before the old schema, its references in `comparison.old`
 * @param after the new schema, its references in `comparison.new`
 * @throws Error for a keyword that it does not know
 */
export function schemaMisfits(before: unknown, after: unknown, comparison: SchemaComparison): Misfit[] {
  const [old, current] = [(before ?? {}) as JsonObject, (after ?? {}) as JsonObject];
  return comparison.direction === 'read' ? compare(old, current, '', comparison) : compare(current, old, '', comparison);
}
