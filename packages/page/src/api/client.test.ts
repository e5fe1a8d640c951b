import { describe, expect, test } from '@jest/globals';
import { type Client, type ClientOptions, createClient, pathOf, RequestKeys } from './client.ts';
import { ApiFailure } from './failure.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function clientWith(response: Response | ((init: RequestInit) => Promise<Response>), options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const refusals: string[] = [];
  const client = createClient({
    key: 'pf_test_key',
    base: 'https://api.example.com/prefix/',
    onRefused: () => refusals.push('refused'),
    fetch: (url, init = {}) => {
      sent.push({ url: String(url), init });
      return typeof response === 'function' ? response(init) : Promise.resolve(response);
    },
    ...options,
  });
  return { client, sent, refusals };
}

const envelope = (body: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

async function failureOf(call: Promise<unknown>): Promise<ApiFailure> {
  const error = await call.then(
    () => new Error('The call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiFailure) return error;
  throw error;
}

const list = (client: Client): Promise<unknown> => client.call('/open/v1/forecasts');

describe('a call', () => {
  test('of an operator has the token as a bearer, and no API key', async () => {
    const { client, sent } = clientWith(envelope({ code: '0', data: {} }), { key: 'pfo_1', scheme: 'bearer' });
    await client.call('/admin/v1/operator');
    expect(sent[0]?.init.headers).toEqual({ Authorization: 'Bearer pfo_1' });
  });

  test('goes below the address of the page, with the key in its header and nothing else that identifies the caller', async () => {
    const { client, sent } = clientWith(envelope({ code: '0', message: 'success', data: { x: 1 } }));
    const query = { po_number: 'A&B 1', status: '', cursor: undefined, limit: 20 };
    expect(await client.call('/open/v1/forecasts', { query })).toEqual({ x: 1 });
    expect(sent[0]?.url).toBe('https://api.example.com/prefix/open/v1/forecasts?po_number=A%26B+1&limit=20');
    expect(sent[0]?.init).toMatchObject({
      method: 'GET',
      headers: { 'X-Api-Key': 'pf_test_key' },
      credentials: 'omit',
      redirect: 'error',
      body: null,
    });
  });

  test('sends a file as a form, under a key that makes repeats harmless', async () => {
    const { client, sent } = clientWith(envelope({ code: '0', message: 'success', data: {} }));
    const upload = { content: new Blob(['picture']), name: 'photo.jpg' };
    await client.call('/warehouse/v1/photos', { method: 'POST', upload, idempotencyKey: 'photo-1' });
    const { body, headers } = sent[0]?.init ?? {};
    expect(headers).toEqual({ 'X-Api-Key': 'pf_test_key', 'Idempotency-Key': 'photo-1' });
    const file = (body as FormData).get('file') as File;
    expect([file.name, await file.text()]).toEqual(['photo.jpg', 'picture']);
  });

  test('parameters of a path are encoded', () => {
    expect(pathOf('/a/{po_number}/b/{delivery_id}', 'P/1?', 'd 2')).toBe('/a/P%2F1%3F/b/d%202');
  });
});

describe('a failure', () => {
  test('carries what the response says', async () => {
    const errors = [{ field: 'url', rule: 'format', message: 'url must be a public address' }];
    const body = { code: '42201', message: 'Field validation failed', data: { errors } };
    const { client } = clientWith(envelope(body, 422, { 'x-request-id': 'req_1' }));
    expect(await failureOf(list(client))).toMatchObject({
      code: '42201',
      detail: 'Field validation failed',
      faults: [{ field: 'url', message: 'must be a public address' }],
      requestId: 'req_1',
    });
  });

  test('of the rate says how long to wait', async () => {
    const { client } = clientWith(envelope({ code: '42901', message: 'Too many requests', data: null }, 429, { 'retry-after': '3' }));
    expect(await failureOf(list(client))).toMatchObject({ code: '42901', retryAfterSeconds: 3 });
  });

  test('of the key ends the session; of a permission does not', async () => {
    const refused = clientWith(envelope({ code: '40003', message: 'The API key is invalid', data: null }, 401));
    expect((await failureOf(list(refused.client))).code).toBe('40003');
    expect(refused.refusals).toHaveLength(1);
    const forbidden = clientWith(envelope({ code: '40301', message: 'The API key lacks the scope x', data: null }, 403));
    expect((await failureOf(list(forbidden.client))).code).toBe('40301');
    expect(forbidden.refusals).toEqual([]);
  });

  test('is "unreadable" when something else than the API responds', async () => {
    const { client } = clientWith(new Response('<html>502 Bad Gateway</html>', { status: 502 }));
    expect((await failureOf(list(client))).code).toBe('unreadable');
    const json = clientWith(envelope({ error: 'bad gateway' }, 502));
    expect((await failureOf(list(json.client))).code).toBe('unreadable');
  });

  test('is "offline" when nothing can be reached', async () => {
    const { client } = clientWith(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(list(client))).toMatchObject({ code: 'offline', detail: 'Failed to fetch' });
  });

  test('is "timeout" when the response does not come within the deadline', async () => {
    const never = ({ signal }: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const { client, sent } = clientWith(never, { deadlineMs: 20 });
    expect((await failureOf(list(client))).code).toBe('timeout');
    expect(sent).toHaveLength(1);
  });
});

test('the environment is read from the first letters of the key', () => {
  const of = (key: string) => clientWith(envelope({}), { key }).client.environment;
  expect([of('pf_test_a'), of('pf_live_a')]).toEqual(['sandbox', 'production']);
});

describe('a download', () => {
  test('is the file with the name that the response gives it', async () => {
    const headers = { 'content-disposition': 'attachment; filename="failed-imp_1.csv"' };
    const { client } = clientWith(new Response('a,b', { headers }));
    const { content, name } = await client.download('/open/v1/forecasts/import/imp_1/failed-rows');
    expect([name, await content.text()]).toEqual(['failed-imp_1.csv', 'a,b']);
  });

  test('that is refused fails with the code of the response', async () => {
    const { client } = clientWith(envelope({ code: '40403', message: 'The import does not exist', data: null }, 404));
    expect(await failureOf(client.download('/open/v1/x'))).toMatchObject({ code: '40403', detail: 'The import does not exist' });
  });
});

test('a form has further fields, and a change the version that it is based on', async () => {
  const { client, sent } = clientWith(() => Promise.resolve(envelope({ code: '0', message: 'success', data: {} })));
  await client.call('/x', { method: 'POST', upload: { content: new Blob(['a']), name: 'a.csv', fields: { mapping: '{}' } } });
  const form = sent[0]?.init.body as FormData;
  expect(form.get('mapping')).toBe('{}');
  await client.call('/x', { method: 'PATCH', body: {}, ifMatch: '"3"' });
  expect(sent[1]?.init.headers).toMatchObject({ 'If-Match': '"3"' });
});

const taken = (key: string): Promise<string> => Promise.resolve(key);

/** Sends a request whose response is lost. @returns its key */
async function lost(keys: RequestKeys, content: string): Promise<string> {
  let used = '';
  const sent = keys.send(content, (key) => {
    used = key;
    return Promise.reject(new Error('lost'));
  });
  await expect(sent).rejects.toThrow('lost');
  return used;
}

test('a repeat has the key of the request whose response was lost', async () => {
  const keys = new RequestKeys();
  const first = await lost(keys, 'a');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await keys.send('a', taken)).toBe(first);
});

test('another request has another key, and so has the same one after its success', async () => {
  const keys = new RequestKeys();
  const first = await lost(keys, 'a');
  const other = await keys.send('b', taken);
  const again = await keys.send('b', taken);
  expect(new Set([first, other, again]).size).toBe(3);
});
