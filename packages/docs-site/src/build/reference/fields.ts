import { DEPRECATION_KEYWORD } from '@parcelway/contracts/deprecation';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { ruleOf } from '@parcelway/contracts/description/schema-words';

export interface Field {
  readonly name: string;
  /** Such as `string`, `array of object`, `number or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** What is allowed, in Markdown; empty when nothing is said. */
  readonly rule: string;
  readonly description: string;
  readonly children: readonly Field[];
  readonly variants: readonly Variant[];
}

export interface Variant {
  readonly title: string;
  readonly fields: readonly Field[];
}

/** A schema as a document may have it: with references, and with types in a list. */
type AnySchema = Omit<JsonSchema, 'type'> & {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly additionalProperties?: unknown;
  readonly deprecated?: boolean;
  readonly [DEPRECATION_KEYWORD]?: unknown;
};

type Resolve = (reference: string) => AnySchema;

interface Context {
  readonly resolve: Resolve;
  /** Names of the kinds that are described already: an event alone and in a list is described once. */
  readonly shown: Set<string>;
}

const MAX_DEPTH = 8;

const noReferences: Resolve = (reference) => {
  throw new Error(`The schema has a reference, ${reference}, where none is expected`);
};

const open = (schema: AnySchema, context: Context): AnySchema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...open(context.resolve($ref), context), ...beside };
};

/** The kinds of a value other than null, and whether null is one. */
function kindsOf(schema: AnySchema, context: Context): { readonly kinds: readonly AnySchema[]; readonly isNullable: boolean } {
  const branches = (schema.anyOf ?? schema.oneOf) as readonly AnySchema[] | undefined;
  // What is required beside properties is no kind of its own.
  if (branches === undefined || schema.properties !== undefined) {
    const types = [schema.type ?? []].flat();
    return { kinds: [schema], isNullable: types.length > 1 && types.includes('null') };
  }
  const opened = branches.map((branch) => open(branch, context));
  const kinds = opened.filter(({ type }) => type !== 'null');
  return { kinds, isNullable: kinds.length < opened.length };
}

function typeWord(schema: AnySchema, context: Context): string {
  const { kinds, isNullable } = kindsOf(schema, context);
  const word = (kind: AnySchema): string => {
    const type = [kind.type ?? (kind.properties ? 'object' : typeof (kind.const ?? kind.enum?.[0] ?? ''))]
      .flat()
      .find((each) => each !== 'null');
    if (type !== 'array') return String(type);
    return `array of ${kind.items === undefined ? 'any' : typeWord(open(kind.items as AnySchema, context), context)}`;
  };
  return [...new Set([...kinds.map(word), ...(isNullable ? ['null'] : [])])].join(' or ');
}

function ruleWords(kind: AnySchema, context: Context): string {
  const own = ruleOf(kind as JsonSchema);
  if (kind.items === undefined) return own;
  const element = open(kind.items as AnySchema, context);
  const each = element.properties === undefined && element.anyOf === undefined ? ruleWords(element, context) : '';
  return [own, each === '' ? '' : `each: ${each}`].filter(Boolean).join('; ');
}

/** The object inside a kind: itself, the elements of a list, or the values of a map. */
function inside(kind: AnySchema, context: Context): AnySchema {
  if (kind.items !== undefined) return inside(open(kind.items as AnySchema, context), context);
  const [values] = Object.values(kind.patternProperties ?? {}) as AnySchema[];
  return values === undefined ? kind : open(values, context);
}

function below(schema: AnySchema, context: Context, depth: number): Pick<Field, 'children' | 'variants'> {
  if (depth >= MAX_DEPTH) return { children: [], variants: [] };
  const { kinds } = kindsOf(schema, context);
  const opened = kinds.map((kind) => inside(kind, context));
  const flat = opened.flatMap((kind) => (kind.properties === undefined ? kindsOf(kind, context).kinds : [kind]));
  const objects = flat.filter(({ properties }) => properties !== undefined);
  const fieldsIn = (kind: AnySchema): Field[] => propertiesOf(kind, context, depth + 1);
  if (objects.length === 1) return { children: fieldsIn(objects[0] as AnySchema), variants: [] };
  const titles = objects.map((kind, index) => kind.title ?? kind.$id ?? `Kind ${index + 1}`);
  const isNew = titles.some((title) => !context.shown.has(title));
  if (!isNew) return { children: [], variants: [] };
  for (const title of titles) context.shown.add(title);
  return { children: [], variants: objects.map((kind, index) => ({ title: titles[index] as string, fields: fieldsIn(kind) })) };
}

function propertiesOf(schema: AnySchema, context: Context, depth: number): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const opened = open(property as AnySchema, context);
    const { kinds } = kindsOf(opened, context);
    const rules = [...new Set(kinds.map((kind) => ruleWords(kind, context)).filter(Boolean))];
    return {
      name,
      type: typeWord(opened, context),
      isRequired: (schema.required ?? []).includes(name),
      isDeprecated: opened.deprecated === true || opened[DEPRECATION_KEYWORD] !== undefined,
      rule: rules.join('; or '),
      description: opened.description ?? kinds.find(({ description }) => description !== undefined)?.description ?? '',
      ...below(opened, context, depth),
    };
  });
}

/** What a body or the data of a response consists of. @param resolve follows references; default none is expected */
export function fieldsOf(schema: unknown, resolve: (reference: string) => unknown = noReferences): Pick<Field, 'children' | 'variants'> {
  const context: Context = { resolve: resolve as Resolve, shown: new Set() };
  return below(open(schema as AnySchema, context), context, 0);
}
