/* JSON schemas from what Kubernetes and custom resources publish, strict: a field that is not known is an error, not ignored. */

/** Types whose published schema says less than the server takes. */
const WIDER = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

/**
 * Closes every object of a schema that lists its fields, and lets a field be null where it may be left out.
 * @param {unknown} schema
 * @returns {unknown} a copy
 */
export function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const { properties, ...rest } = schema;
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, strict(value)]));
  if (properties === undefined) return copy;
  copy.properties = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strict(value)]));
  const open = 'additionalProperties' in copy || copy['x-kubernetes-preserve-unknown-fields'] === true;
  return open ? copy : { ...copy, additionalProperties: false };
}

/** The name of a kind's file, as kubeconform asks for it: `deployment-apps-v1.json`. */
const fileName = ({ group, version, kind }) => `${[kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase()}.json`;

/** A schema with nothing but the definitions that it leads to. */
function standalone(name, definitions) {
  const needed = new Map();
  const visit = (text) => {
    for (const [, each] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (needed.has(each)) continue;
      const definition = WIDER[each] ?? strict(definitions[each]);
      needed.set(each, definition);
      visit(JSON.stringify(definition));
    }
  };
  const root = strict(definitions[name]);
  visit(JSON.stringify(root));
  return { ...root, definitions: Object.fromEntries(needed) };
}

/**
 * Schemas of the kinds of Kubernetes.
 * @param {{ definitions: Record<string, object> }} swagger its OpenAPI 2 document
 * @returns {Map<string, object>} file name → schema, each complete by itself
 */
export function schemasOfSwagger({ definitions }) {
  const schemas = new Map();
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = definition['x-kubernetes-group-version-kind'] ?? [];
    // Several: the options of calls (DeleteOptions), which are no resources.
    if (kinds.length !== 1 || definition.properties?.metadata === undefined) continue;
    schemas.set(fileName(kinds[0]), standalone(name, definitions));
  }
  return schemas;
}

/**
 * Schemas of a custom resource, one for each of its versions.
 * @param {{ spec: { group: string, names: { kind: string }, versions: { name: string, schema: { openAPIV3Schema: object } }[] } }} definition
 * @returns {Map<string, object>} file name → schema
 */
export function schemasOfCustomResource({ spec: { group, names, versions } }) {
  return new Map(
    versions.map(({ name, schema }) => [fileName({ group, version: name, kind: names.kind }), strict(schema.openAPIV3Schema)]),
  );
}
