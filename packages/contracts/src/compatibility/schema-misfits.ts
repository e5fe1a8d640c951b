import type { JsonObject } from '../openapi-schemas.ts';
import { alternativesOf, canonicalJson, isJsonObject, type PlacedSchema, propertiesOf, withAlso } from './json-schema.ts';
import { type Direction, joined, type Misfit, misfit } from './misfit.ts';
import { type Pair, valueMisfits } from './value-rules.ts';

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

interface Places extends SchemaComparison {
  readonly narrowDocument: JsonObject;
  readonly wideDocument: JsonObject;
}

const NAME = /^(?:[A-Za-z_][\w-]*|\*)$/;
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${NAME.test(name) ? name : JSON.stringify(name)}`);

function propertyMisfits(pair: Pair, places: Places): Misfit[] {
  const { narrow, wide, path, direction } = pair;
  const [own, allowed] = [propertiesOf(narrow), propertiesOf(wide)];
  const [before, after] = direction === 'read' ? [own, allowed] : [allowed, own];
  const required = ((wide['required'] ?? []) as string[]).filter((name) => !((narrow['required'] ?? []) as string[]).includes(name));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return [
    ...required
      .filter((name) => !gone.includes(name))
      .map((name) => {
        const added = Object.hasOwn(before, name) ? 'is required now' : 'is new and required';
        return misfit(below(path, name), 'required', direction === 'read' ? added : 'is no longer always there');
      }),
    ...gone.map((name) =>
      misfit(below(path, name), 'removed', direction === 'read' ? 'is no longer read: what is sent in it is lost' : 'is gone'),
    ),
    ...Object.entries(own).flatMap(([name, schema]) => {
      const other = allowed[name];
      return other === undefined ? [] : compare(schema, other, below(path, name), places);
    }),
  ];
}

/** Rules for fields that have no schema of their own. */
function otherFieldMisfits({ narrow, wide, path, direction }: Pair, places: Places): Misfit[] {
  const patterns = { ...((wide['patternProperties'] ?? {}) as JsonObject), '': wide['additionalProperties'] ?? true };
  const own = { ...((narrow['patternProperties'] ?? {}) as JsonObject), '': narrow['additionalProperties'] ?? true };
  return Object.entries(patterns).flatMap(([pattern, limit]) => {
    const place = below(path, '*');
    const mine = own[pattern as keyof typeof own];
    if (limit === true || mine === false) return [];
    if (isJsonObject(limit)) return compare(isJsonObject(mine) ? mine : {}, limit, place, places);
    if (direction === 'write' && !places.strictReaders) return [];
    if (mine !== false && narrow['additionalProperties'] !== false) {
      return [misfit(path, 'additionalProperties', direction === 'read' ? 'unknown fields are refused now' : 'has other fields now')];
    }
    return [];
  });
}

/** Fields that the wide schema refuses because it knows no others than its own. */
function refusedFieldMisfits({ narrow, wide, path, direction }: Pair, places: Places): Misfit[] {
  if (wide['additionalProperties'] !== false || (direction === 'write' && !places.strictReaders) || direction === 'read') return [];
  const unknown = Object.keys(propertiesOf(narrow)).filter((name) => !Object.hasOwn(propertiesOf(wide), name));
  return unknown.map((name) => misfit(below(path, name), 'additionalProperties', 'is new, and readers refuse what they do not know'));
}

function conditionMisfits({ narrow, wide, path, direction }: Pair, places: Places): Misfit[] {
  if (wide['if'] === undefined) return [];
  if (canonicalJson(wide['if']) !== canonicalJson(narrow['if'])) {
    return [misfit(path, 'if', direction === 'read' ? 'has a new or other condition' : 'no longer meets the documented condition')];
  }
  const without = ({ if: _if, then: _then, else: _else, ...rest }: JsonObject): JsonObject => rest;
  return ['then', 'else'].flatMap((key) =>
    wide[key] === undefined
      ? []
      : compare(
          withAlso(without(narrow), narrow[key], places.narrowDocument),
          withAlso(without(wide), wide[key], places.wideDocument),
          path,
          places,
        ),
  );
}

function comparePlain(pair: Pair, places: Places): Misfit[] {
  const misfits = valueMisfits(pair);
  if (misfits.some(({ rule }) => rule === 'type')) return misfits;
  const { narrow, wide, path } = pair;
  const items = isJsonObject(wide['items']) ? compare((narrow['items'] ?? {}) as JsonObject, wide['items'], `${path}[]`, places) : [];
  return [
    ...misfits,
    ...items,
    ...propertyMisfits(pair, places),
    ...refusedFieldMisfits(pair, places),
    ...otherFieldMisfits(pair, places),
    ...conditionMisfits(pair, places),
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

function compare(narrow: JsonObject, wide: JsonObject, path: string, places: Places): Misfit[] {
  if (Object.keys(wide).length === 0) return [];
  const options = alternativesOf({ schema: wide, document: places.wideDocument });
  const own = alternativesOf({ schema: narrow, document: places.narrowDocument });
  return joined(
    own.flatMap((each) => {
      const tries = options.map((option) => {
        const misfits = comparePlain({ narrow: each, wide: option, path, direction: places.direction }, places);
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
 * to be harmless, such as another pattern, it names.
 * @param before the old schema, its references in `comparison.old`
 * @param after the new schema, its references in `comparison.new`
 * @throws Error for a keyword that it does not know
 */
export function schemaMisfits(before: unknown, after: unknown, comparison: SchemaComparison): Misfit[] {
  const old: PlacedSchema = { schema: (before ?? {}) as JsonObject, document: comparison.old };
  const current: PlacedSchema = { schema: (after ?? {}) as JsonObject, document: comparison.new };
  const [narrow, wide] = comparison.direction === 'read' ? [old, current] : [current, old];
  return compare(narrow.schema, wide.schema, '', { ...comparison, narrowDocument: narrow.document, wideDocument: wide.document });
}
