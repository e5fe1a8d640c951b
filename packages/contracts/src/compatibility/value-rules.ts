import type { JsonObject } from '../openapi-schemas.ts';
import { canonicalJson } from './json-schema.ts';
import { type Direction, type Misfit, misfit, shown } from './misfit.ts';

/** Two schemas without alternatives. In direction `read` the old one is the narrow one, in direction `write` the new one. */
export interface Pair {
  /** Its values … */
  readonly narrow: JsonObject;
  /** … must all be values of this one. */
  readonly wide: JsonObject;
  readonly path: string;
  readonly direction: Direction;
}

/** `maxLength: 64 → 32`: the old rule first, whichever side it is on. */
function changed({ narrow, wide, path, direction }: Pair, key: string, also = ''): Misfit {
  const [before, after] = direction === 'read' ? [narrow[key], wide[key]] : [wide[key], narrow[key]];
  return misfit(path, key, `${key}: ${shown(before)} → ${shown(after)}${also}`);
}

function fixedValues(schema: JsonObject): readonly unknown[] | undefined {
  const list = schema['enum'] as readonly unknown[] | undefined;
  const { const: only } = schema;
  if (only === undefined) return list;
  return list === undefined || list.some((each) => canonicalJson(each) === canonicalJson(only)) ? [only] : [];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const typeFits = (narrow: unknown, wide: unknown): boolean =>
  wide === undefined || narrow === wide || (narrow === 'integer' && wide === 'number');

/** Bounds that a schema sets → true where a greater figure allows more. */
const BOUNDS: Readonly<Record<string, boolean>> = {
  minLength: false,
  maxLength: true,
  minItems: false,
  maxItems: true,
  minProperties: false,
  maxProperties: true,
};

function sizeMisfits(pair: Pair): Misfit[] {
  return Object.entries(BOUNDS).flatMap(([key, greaterAllowsMore]) => {
    const limit = pair.wide[key] as number | undefined;
    if (limit === undefined) return [];
    const own = (pair.narrow[key] as number | undefined) ?? (greaterAllowsMore ? Number.POSITIVE_INFINITY : 0);
    return (greaterAllowsMore ? own <= limit : own >= limit) ? [] : [changed(pair, key)];
  });
}

/** True when every number from the edge of `own` lies within the edge of `limit`; `sign` is -1 for upper edges. */
function edgeFits(pair: Pair, keys: readonly [inclusive: string, exclusive: string], sign: 1 | -1): string | undefined {
  const edge = (schema: JsonObject) =>
    keys.flatMap((key, index) => (typeof schema[key] === 'number' ? [{ key, at: sign * schema[key], open: index === 1 }] : []));
  for (const limit of edge(pair.wide)) {
    if (!edge(pair.narrow).some((own) => own.at > limit.at || (own.at === limit.at && (own.open || !limit.open)))) return limit.key;
  }
  return undefined;
}

function numberMisfits(pair: Pair): Misfit[] {
  const low = edgeFits(pair, ['minimum', 'exclusiveMinimum'], 1);
  const high = edgeFits(pair, ['maximum', 'exclusiveMaximum'], -1);
  return [low, high].flatMap((key) => (key === undefined ? [] : [changed(pair, key)]));
}

/** Rules that are the same or another; which of two allows more is not looked at. */
function otherMisfits(pair: Pair): Misfit[] {
  return ['multipleOf', 'propertyNames'].flatMap((key) =>
    pair.wide[key] === undefined || canonicalJson(pair.wide[key]) === canonicalJson(pair.narrow[key]) ? [] : [changed(pair, key)],
  );
}

function textMisfits(pair: Pair): Misfit[] {
  return ['pattern', 'format'].flatMap((key) => {
    if (pair.wide[key] === undefined || pair.wide[key] === pair.narrow[key]) return [];
    return [
      changed(
        pair,
        key,
        pair.narrow[key] === undefined ? '' : ', and no comparison can decide whether the one allows all that the other does',
      ),
    ];
  });
}

/** True when `schema` does not allow a single value. Its format is not tried out. */
function refuses(schema: JsonObject, value: unknown): boolean {
  const fixed = fixedValues(schema);
  if (fixed && !fixed.some((each) => canonicalJson(each) === canonicalJson(value))) return true;
  if (!typeFits(typeOfValue(value), schema['type'])) return true;
  const pair = { wide: schema, path: '', direction: 'read' } as const;
  if (typeof value === 'number') return numberMisfits({ ...pair, narrow: { minimum: value, maximum: value } }).length > 0;
  if (typeof value !== 'string') return false;
  const { length } = [...value];
  if (length < Number(schema['minLength'] ?? 0) || length > Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY)) return true;
  return typeof schema['pattern'] === 'string' && !new RegExp(schema['pattern'], 'u').test(value);
}

function fixedMisfits(pair: Pair): Misfit[] | undefined {
  const { narrow, wide, path, direction } = pair;
  const own = fixedValues(narrow)?.filter((value) => !refuses(narrow, value));
  if (own) {
    const otherFormat = wide['format'] !== undefined && wide['format'] !== narrow['format'];
    const refused = own.filter((value) => refuses(wide, value) || (otherFormat && typeof value === 'string'));
    const say = direction === 'read' ? 'no longer allowed' : 'new, and not documented before';
    return refused.map((value) => misfit(path, `enum ${shown(value)}`, `the value ${shown(value)} is ${say}`));
  }
  const allowed = fixedValues(wide);
  if (!allowed) return undefined;
  const list = allowed.map(shown).join(', ');
  return [misfit(path, 'enum', direction === 'read' ? `only ${list} allowed now` : `no longer only ${list}`)];
}

/** What breaks in a single value: its type, fixed values, sizes, bounds and text. */
export function valueMisfits(pair: Pair): Misfit[] {
  if (fixedValues(pair.narrow) === undefined && !typeFits(pair.narrow['type'], pair.wide['type'])) return [changed(pair, 'type')];
  const unique = pair.wide['uniqueItems'] === true && pair.narrow['uniqueItems'] !== true ? [changed(pair, 'uniqueItems')] : [];
  const { narrow, wide, direction } = pair;
  const otherDefault = direction === 'read' && narrow['default'] !== undefined && narrow['default'] !== wide['default'];
  const absent = otherDefault ? [changed(pair, 'default', ' for who leaves it out')] : [];
  const fixed = fixedMisfits(pair);
  if (fixed) return [...fixed, ...absent];
  return [...sizeMisfits(pair), ...numberMisfits(pair), ...textMisfits(pair), ...otherMisfits(pair), ...unique, ...absent];
}
