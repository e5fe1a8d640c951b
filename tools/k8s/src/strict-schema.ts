/* JSON schemas from what Kubernetes and custom resources publish, strict: a field that is not known is an error, not ignored. */

/** A JSON schema, as far as it is looked at. */
interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly Kind[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** What a manifest names a resource by. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Definitions = Readonly<Record<string, Schema>>;

/** The OpenAPI 2 document of Kubernetes. */
export interface Swagger {
  readonly definitions: Definitions;
}

/** A CustomResourceDefinition, as far as it is looked at. */
export interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Types whose published schema says less than the server takes. */
const WIDER: Readonly<Record<string, object>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

/**
 * Closes every object of a schema that lists its fields, and lets a field be null where it may be left out.
 * @returns a copy
 */
export function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  return schema === null || typeof schema !== 'object' ? schema : strictObject(schema);
}

function strictObject(schema: Schema): object {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const { properties, ...rest } = schema;
  const copy: Record<string, unknown> = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, strict(value)]));
  if (properties === undefined) return copy;
  copy['properties'] = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strict(value)]));
  const open = 'additionalProperties' in copy || copy['x-kubernetes-preserve-unknown-fields'] === true;
  return open ? copy : { ...copy, additionalProperties: false };
}

/** The name of a kind's file, as kubeconform asks for it: `deployment-apps-v1.json`. */
const fileName = ({ group, version, kind }: Kind) => `${[kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase()}.json`;

/** A schema with nothing but the definitions that it leads to. */
function standalone(name: string, definitions: Definitions): object {
  const needed = new Map<string, object>();
  const visit = (text: string) => {
    for (const [, each = ''] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (needed.has(each)) continue;
      const definition = WIDER[each] ?? strictObject(definitions[each] ?? {});
      needed.set(each, definition);
      visit(JSON.stringify(definition));
    }
  };
  const root = strictObject(definitions[name] ?? {});
  visit(JSON.stringify(root));
  return { ...root, definitions: Object.fromEntries(needed) };
}

/**
 * Schemas of the kinds of Kubernetes.
 * @param swagger its OpenAPI 2 document
 * @returns file name → schema, each complete by itself
 */
export function schemasOfSwagger({ definitions }: Swagger): Map<string, object> {
  const schemas = new Map<string, object>();
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = definition['x-kubernetes-group-version-kind'] ?? [];
    // Several: the options of calls (DeleteOptions), which are no resources.
    const [kind, ...others] = kinds;
    if (kind === undefined || others.length > 0 || definition.properties?.['metadata'] === undefined) continue;
    schemas.set(fileName(kind), standalone(name, definitions));
  }
  return schemas;
}

/**
 * Schemas of a custom resource, one for each of its versions.
 * @returns file name → schema
 */
export function schemasOfCustomResource({ spec: { group, names, versions } }: CustomResourceDefinition): Map<string, object> {
  return new Map(
    versions.map(({ name, schema }) => [fileName({ group, version: name, kind: names.kind }), strictObject(schema.openAPIV3Schema)]),
  );
}
