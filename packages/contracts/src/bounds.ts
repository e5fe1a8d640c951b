import type { TSchema } from 'typebox';
import { formatLengths, patternLengths } from './text.ts';

/**
 * What a schema allows at one place of a value, over all branches of its unions and conditions. Where several branches have a bound,
 * the widest counts.
 */
export interface Place {
  /** Most characters of a text; undefined when the schema has no bound. */
  readonly maxLength: number | undefined;
  /** Most elements of an array. */
  readonly maxItems: number | undefined;
  /** Most members of a map, an object whose names the caller chooses. */
  readonly maxProperties: number | undefined;
  /** True when a text that is no member of a closed list is allowed here. */
  readonly holdsText: boolean;
  /** Known members of an object. */
  readonly fields: ReadonlyMap<string, Place>;
  /** True when other members than the known ones are refused. */
  readonly isClosed: boolean;
  /** Elements of an array. */
  readonly elements: Place | undefined;
  /** Members of a map. */
  readonly values: Place | undefined;
}

type Schema = Readonly<Record<string, unknown>>;
type Draft = { -readonly [Key in keyof Place]: Place[Key] } & { readonly fields: Map<string, Place> };

/** Keywords whose schemas judge the same value as the schema they stand in. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'] as const;

const isSchema = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);

const wider = (a: number | undefined, b: unknown): number | undefined => (typeof b === 'number' ? Math.max(a ?? 0, b) : a);

/** The schemas that judge the same value: the one given, and those of its branches at every depth. */
function judgesOf(schema: Schema): Schema[] {
  const branches = BRANCHES.flatMap((keyword) => [schema[keyword]].flat()).filter(isSchema);
  return [schema, ...branches.flatMap(judgesOf)];
}

function lengthOf({ maxLength, format, pattern }: Schema): unknown {
  return maxLength ?? formatLengths[String(format)] ?? patternLengths[String(pattern)];
}

const placeOf = (schemas: readonly Schema[]): Place | undefined => (schemas.length === 0 ? undefined : merged(schemas));

function merged(schemas: readonly Schema[]): Place {
  const judges = schemas.flatMap(judgesOf);
  const place: Draft = {
    maxLength: undefined,
    maxItems: undefined,
    maxProperties: undefined,
    holdsText: judges.some(({ type, enum: list }) => [type].flat().includes('string') && list === undefined),
    fields: new Map(),
    isClosed: judges.some(({ additionalProperties }) => additionalProperties === false),
    elements: placeOf(judges.map(({ items }) => items).filter(isSchema)),
    values: placeOf(
      judges
        .flatMap(({ patternProperties, additionalProperties }) => [...Object.values(Object(patternProperties)), additionalProperties])
        .filter(isSchema),
    ),
  };
  const fields = new Map<string, Schema[]>();
  for (const judge of judges) {
    place.maxLength = wider(place.maxLength, lengthOf(judge));
    place.maxItems = wider(place.maxItems, judge['maxItems']);
    place.maxProperties = wider(place.maxProperties, judge['maxProperties']);
    for (const [name, field] of Object.entries(Object(judge['properties'])).filter(([, field]) => isSchema(field))) {
      fields.set(name, [...(fields.get(name) ?? []), field as Schema]);
    }
  }
  for (const [name, ofField] of fields) place.fields.set(name, merged(ofField));
  return place;
}

/** The place of the whole value that a schema describes. */
export function boundsOf(schema: TSchema): Place {
  return merged([schema as unknown as Schema]);
}

/** Members of a closed object that are not known: at most so many are looked at, as many as a refusal names. */
const MAX_UNKNOWN = 100;

/**
 * A value without what lies behind the bounds of its schema: one element, member or character behind a bound shows that there are too
 * many. So what is collected about a value that breaks every rule is bounded by the schema, not by the size of the value.
 * @returns the value itself when nothing lies behind a bound
 */
export function withinBounds(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return shortened(value, place.maxLength);
  if (Array.isArray(value)) return cutArray(value, place);
  if (value !== null && typeof value === 'object') return cutObject(value as Readonly<Record<string, unknown>>, place);
  return value;
}

/** Bounds count characters, of which one may take two UTF-16 units. */
function shortened(text: string, maxLength: number | undefined): string {
  const most = maxLength === undefined ? Number.POSITIVE_INFINITY : 2 * (maxLength + 1);
  return text.length > most ? text.slice(0, most) : text;
}

function cutArray(array: readonly unknown[], { maxItems, elements }: Place): unknown {
  const kept = maxItems !== undefined && array.length > maxItems + 1 ? array.slice(0, maxItems + 1) : array;
  if (!elements) return kept;
  const cut = kept.map((element) => withinBounds(element, elements));
  return kept === array && cut.every((element, index) => element === array[index]) ? array : cut;
}

function cutObject(object: Readonly<Record<string, unknown>>, { fields, values, isClosed, maxProperties }: Place): unknown {
  // Nobody looks at the unknown members of an open object: they may stay where they are, and are left out of a copy.
  const looksAtOthers = values !== undefined || isClosed || maxProperties !== undefined;
  const mostOthers = looksAtOthers ? (maxProperties ?? MAX_UNKNOWN) + 1 : 0;
  const kept: Array<readonly [name: string, value: unknown]> = [];
  let others = 0;
  let isCut = false;
  for (const name of Object.keys(object)) {
    const known = fields.get(name);
    if (!known) others += 1;
    if (!known && others > mostOthers) {
      isCut ||= looksAtOthers;
      continue;
    }
    const place = known ?? values;
    const value = place ? withinBounds(object[name], place) : object[name];
    isCut ||= value !== object[name];
    kept.push([name, value]);
  }
  return isCut ? Object.fromEntries(kept) : object;
}
