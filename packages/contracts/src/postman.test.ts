import { describe, expect, test } from '@jest/globals';
import { environments } from './environment.ts';
import { EXAMPLE_BASE_URL, exampleParcel } from './example-parcel.ts';
import { buildPostman } from './postman.ts';
import { routeExamples } from './route-examples.ts';
import { routes } from './routes.ts';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string; readonly apikey?: readonly { readonly key: string; readonly value: string }[] };
    readonly url: { readonly raw: string; readonly variable?: readonly { readonly key: string; readonly value: string }[] };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

const baseUrl = 'https://api.example.test';
const build = (environment: (typeof environments)[number]) => buildPostman({ environment, baseUrl }) as Collection;
const itemsOf = ({ item }: Collection) => item.flatMap((folder) => folder.item);
const pathOf = ({ request }: Item) =>
  request.url.raw
    .replace('{{base_url}}', '')
    .replace(/\?.*/, '')
    .replaceAll(/:([a-z_]+)/g, '{$1}');

describe.each(environments)('the collection of %s', (environment) => {
  const collection = build(environment);

  test('has every example of every route, in the folder of its tag', () => {
    const expected = routes
      .filter((route) => environment === 'sandbox' || !route.sandboxOnly)
      .flatMap(({ id, tag, method, path }) =>
        Array.from({ length: Math.max(1, Object.keys(routeExamples[id]?.requests ?? {}).length) }, () => [tag, `${method} ${path}`]),
      );
    const found = collection.item.flatMap((folder) => folder.item.map((item) => [folder.name, `${item.request.method} ${pathOf(item)}`]));
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test('uses no variable that it does not have, and has none that it does not use', () => {
    const used = new Set([...JSON.stringify(collection.item).matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name]) => name));
    for (const [name] of JSON.stringify(collection).matchAll(/(?<=collectionVariables\.set\(')[a-z_]+/g)) used.add(name);
    expect([...new Set([...used, 'api_key'])].sort()).toEqual(collection.variable.map(({ key }) => key).sort());
    expect(collection.variable.find(({ key }) => key === 'base_url')?.value).toBe(baseUrl);
  });

  test('shows nothing of the address of the examples', () => {
    expect(JSON.stringify(collection.item.map(({ item }) => item.map(({ request }) => request)))).not.toContain(EXAMPLE_BASE_URL);
  });
});

test('a body has variables for what is the reader’s own, and is JSON', () => {
  const items = itemsOf(build('sandbox'));
  const submission = items.find(({ name }) => name === 'Submit a forecast: direct mail');
  expect(JSON.parse(submission?.request.body?.raw ?? '')).toMatchObject({
    po_number: '{{po_number}}',
    warehouse_code: '{{warehouse_code}}',
    shipping_label: '{{file_url}}',
  });
  for (const { request } of items) if (request.body?.mode === 'raw') expect(() => JSON.parse(request.body?.raw ?? '')).not.toThrow();
  expect(JSON.stringify(items.map(({ request }) => request.body))).not.toContain(exampleParcel.poNumber);
});

test('each request has the key that opens it', () => {
  for (const item of itemsOf(build('sandbox'))) {
    const route = routes.find(({ method, path }) => method === item.request.method && path === pathOf(item));
    const key = item.request.auth?.apikey?.find((entry) => entry.key === 'value')?.value ?? item.request.auth?.type;
    expect([item.name, key]).toEqual([
      item.name,
      { tenant: undefined, warehouse: '{{warehouse_api_key}}', public: 'noauth' }[route?.access ?? 'tenant'],
    ]);
  }
});

test('what creates something keeps its id', () => {
  const scripts = Object.fromEntries(itemsOf(build('sandbox')).map(({ name, event }) => [name, event?.[0]?.script.exec.join('\n') ?? '']));
  expect(scripts['Register an endpoint: endpoint']).toContain("set('endpoint_id', created.endpoint_id)");
  expect(scripts['Upload a PDF']).toContain("set('file_url', created.url)");
  expect(scripts['Upload a photo']).toContain("set('photo_name', ");
  expect(scripts['List forecasts']).toBe('');
});
