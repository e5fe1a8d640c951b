import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import { deprecated, deprecatedFields, deprecationHeaders, hasField } from './deprecation.ts';
import { buildOpenApi } from './openapi.ts';
import type { RouteDefinition } from './route.ts';
import { routes } from './routes.ts';
import { DocumentProbe } from './testing/document-probe.ts';
import { compileValidator } from './validator.ts';

const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };
const sentence = 'Deprecated since 2026-11-01; may be gone from 2028-11-01 on. What to use instead: https://docs.example.com/v2';

test('the headers of a deprecation are as their standards have them, and made once', () => {
  const headers = deprecationHeaders(deprecation);
  expect(headers).toEqual([
    ...['Deprecation', '@1793491200'],
    ...['Sunset', 'Wed, 01 Nov 2028 00:00:00 GMT'],
    ...['Link', '<https://docs.example.com/v2>; rel="deprecation"'],
  ]);
  expect(deprecationHeaders(deprecation)).toBe(headers);
  expect(deprecationHeaders({ since: '2026-11-01', link: 'https://docs.example.com' })).not.toContain('Sunset');
});

const Line = Type.Object({ sku: Type.String(), colour: Type.Optional(Type.String({ description: 'Colour', ...deprecated(deprecation) })) });
const body = Type.Object({ name: Type.String(), lines: Type.Optional(Type.Array(Line)) }, { $id: 'Planted' });

test('a deprecated field is found wherever it is, and still validated', () => {
  const [field, ...others] = deprecatedFields(body);
  expect(others).toEqual([]);
  expect(field).toEqual({ path: ['lines', '[]', 'colour'], deprecation });
  const { path = [] } = field ?? {};
  expect(hasField({ lines: [{ sku: 'A' }, { sku: 'B', colour: 'red' }] }, path)).toBe(true);
  for (const without of [{ lines: [{ sku: 'A' }] }, { lines: 'colour' }, { colour: 'red' }, null])
    expect(hasField(without, path)).toBe(false);
  expect(compileValidator(body).errors({ name: 'N', lines: [{ sku: 'A', colour: 5 }] })).toMatchObject([{ field: 'lines[0].colour' }]);
});

describe('the OpenAPI document', () => {
  const submit = routes.find(({ id }) => id === 'submitForecast') as RouteDefinition;
  const planted: RouteDefinition = {
    ...submit,
    deprecated: deprecation,
    body,
    query: Type.Object({ dry: Type.Optional(Type.String({ description: 'Dry run', ...deprecated(deprecation) })) }),
  };
  const options = { environment: 'sandbox', baseUrl: 'https://api.example.test' } as const;
  const probe = new DocumentProbe(buildOpenApi(options, [planted]));

  test('says of a route and of a field that they are deprecated, and of the headers', () => {
    const operation = probe.at('#/paths/~1open~1v1~1forecasts/post');
    expect(operation).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(sentence),
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'dry', deprecated: true, description: `Dry run. ${sentence}` })]),
    });
    const { headers } = probe.at('#/paths/~1open~1v1~1forecasts/post/responses/200');
    expect(headers).toMatchObject({ Deprecation: { $ref: '#/components/headers/Deprecation' }, Sunset: {} });
    const text = JSON.stringify(probe.root);
    expect(text).toContain(`"description":"Colour. ${sentence}","deprecated":true`);
    expect(text).not.toContain('x-deprecation');
  });

  test('says nothing of the kind today', () => {
    const text = JSON.stringify(buildOpenApi(options));
    expect(text).not.toContain('"deprecated"');
    expect(text).not.toContain('"Sunset"');
  });
});
