import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from './openapi.ts';
import { DocumentProbe, type Part } from './testing/document-probe.ts';

/* What generators of clients need, so that none invents a name such as `EndpointFilterAdminStatus1`. */

const probe = new DocumentProbe(buildOpenApi({ environment: 'sandbox', baseUrl: 'https://api.example.test' }));
const PROSE = new Set(['description', 'title', 'summary', 'example', 'examples']);
const parts = [...probe.parts()].filter(([path]) => !/\/(example|examples)\//.test(path));
const isComponent = (path: string): boolean => /^#\/components\/schemas\/[^/]+$/.test(path);

/** A schema without prose: two that are equal so are one. */
const structure = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => (PROSE.has(key) && typeof value === 'string' ? undefined : value));

describe('the document for generators', () => {
  test('has every closed list as a component: add a new one to openapi-enums.ts', () => {
    const inline = parts.filter(([path, part]) => Array.isArray(part.enum) && !isComponent(path));
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test('has every object with fields of its own as a component: give it an $id', () => {
    const inline = parts.filter(([path, part]) => part.type === 'object' && part.properties !== undefined && !isComponent(path));
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test('has every failure as a component, all of one schema', () => {
    for (const [path, part] of parts) {
      const status = /^#\/paths\/.*\/responses\/(\d+)$/.exec(path)?.[1];
      if (status === undefined || status.startsWith('2')) continue;
      expect([path, Object.keys(part)]).toEqual([path, ['$ref']]);
      expect(probe.resolve(part)).toMatchObject({
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
      });
    }
  });

  test('has no value or list of values, no map by patterns, and no default outside components', () => {
    for (const [path, part] of parts.filter(([path]) => path.startsWith('#/components/schemas/'))) {
      expect(part).not.toHaveProperty('patternProperties');
      if (Array.isArray(part.anyOf)) expect([path, part.anyOf.filter((each: Part) => each.type === 'array')]).toEqual([path, []]);
      // openapi-typescript takes a field with a default for required, but not a reference to a component with one.
      if ('default' in part) expect([path, isComponent(path)]).toEqual([path, true]);
    }
  });

  test('names components in PascalCase, no two that differ in case alone', () => {
    const names = ['schemas', 'responses', 'headers'].flatMap((kind) => Object.keys(probe.at(`#/components/${kind}`)));
    for (const name of names) expect(name).toMatch(/^([A-Z][a-z0-9]*)+$/);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('has no two components that are the same but for their name and prose', () => {
    for (const kind of ['schemas', 'responses', 'headers']) {
      const byStructure = new Map<string, string>();
      for (const [name, part] of Object.entries(probe.at(`#/components/${kind}`))) {
        // Headers and responses are distinguished by what they mean.
        const text = kind === 'schemas' ? structure(part) : JSON.stringify(part);
        expect([name, byStructure.get(text)]).toEqual([name, undefined]);
        byStructure.set(text, name);
      }
    }
  });

  test('has patterns that every language reads alike: ASCII, without the escapes that only JavaScript knows', () => {
    const patterns = parts.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(30);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
    expect(patterns.filter((pattern) => /\\[upPNLlUF]|[^\x00-\x7f]/.test(pattern))).toEqual([]);
  });
});
