import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { buildPostman } from '@parcelway/contracts/postman';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { FormData } from 'undici';
import { useOpened, useStage } from '../use-stage.ts';

/*
 * The collection of requests that the platform serves, run from the top to the bottom as a program does into which it is imported: a new merchant fills in the
 * keys and nothing else.
 */

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    readonly auth?: { readonly type: string; readonly apikey?: readonly Entry[] };
    readonly header: readonly Entry[];
    readonly url: { readonly path: readonly string[]; readonly query?: readonly Entry[]; readonly variable?: readonly Entry[] };
    readonly body?: { readonly mode: 'raw' | 'formdata'; readonly raw?: string };
  };
}

interface Collection {
  readonly auth: { readonly apikey: readonly Entry[] };
  readonly variable: readonly Entry[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

/**
 * Codes of success, and of what the state of a parcel or an earlier request of the collection may forbid. All others say that the request itself is wrong: its
 * address, its method, its body, its key.
 */
const UNDERSTOOD = ['0', '40401', '40403', '40901', '40902'];

const SPREADSHEET = 'po_number,forecast_type,warehouse_code,sku_code,product_name_en,forecast_quantity\nPO-1,1,SZ01,MUG,Mug,1\n';

const built = buildPostman({ environment: 'sandbox', baseUrl: 'https://localhost' }) as Collection;
/** All but the one that calls a vendor outside. */
const names = built.item
  .flatMap((folder) => folder.item.map(({ name }) => `${folder.name} / ${name}`))
  .filter((name) => !name.endsWith('/ Test a connection'));

const stage = useStage();
/** Request → code and text of its response. */
const responses = useOpened('responses', async () => {
  const { collection, run } = await program();
  const found = new Map<string, { readonly code: string; readonly text: string }>();
  for (const folder of collection.item) {
    for (const item of folder.item)
      if (names.includes(`${folder.name} / ${item.name}`)) found.set(`${folder.name} / ${item.name}`, await run(item));
  }
  return found;
});

/** What a program does with the collection. */
async function program() {
  const collection = JSON.parse((await stage.platform.client(null).call('/postman.json')).text) as Collection;
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('api_key', (await stage.operator.newMerchant()).identity.key);
  variables.set('warehouse_api_key', stage.platform.quickstart.warehouse.api_key);
  const filled = (text: string): string => text.replaceAll(/\{\{([a-z_]+)\}\}/g, (_match, name: string) => variables.get(name) ?? '');
  const client = stage.platform.client(null);

  const upload = (path: string) => {
    const form = new FormData();
    if (path.includes('/import')) form.set('file', new Blob([SPREADSHEET]), 'forecasts.csv');
    else if (path.endsWith('/pdf')) form.set('file', new Blob([new Uint8Array(samplePdf('collection'))]), 'label.pdf');
    else form.set('file', new Blob([new Uint8Array(samplePng('collection'))]), 'photo.png');
    return form;
  };
  const run = async ({ request, event }: Item): Promise<{ code: string; text: string }> => {
    const { url, body, auth = { type: 'apikey', ...collection.auth } } = request;
    const inPath = new Map((url.variable ?? []).map(({ key, value }) => [`:${key}`, encodeURIComponent(filled(value))]));
    const path = `/${url.path.map((step) => inPath.get(step) ?? step).join('/')}`;
    const query = new URLSearchParams(
      (url.query ?? []).filter(({ disabled }) => disabled !== true).map(({ key, value }): [string, string] => [key, filled(value)]),
    );
    const key = filled(auth.apikey?.find((entry) => entry.key === 'value')?.value ?? '');
    const own = request.header
      .filter(({ disabled }) => disabled !== true)
      .map((entry): [string, string] => [entry.key, filled(entry.value)]);
    const response = await client.call(query.size > 0 ? `${path}?${query}` : path, {
      method: request.method,
      headers: { ...Object.fromEntries(own), ...(key === '' ? {} : { 'x-api-key': key }) },
      body: body?.mode === 'formdata' ? upload(path) : body === undefined ? undefined : filled(body.raw ?? ''),
      timeoutMs: 40_000,
    });
    for (const { script } of response.code === '0' ? (event ?? []) : []) {
      const pm = {
        response: { json: () => JSON.parse(response.text) as unknown },
        collectionVariables: { set: (name: string, value: string) => void variables.set(name, value) },
      };
      // Postman has a global of that name, which a script cannot declare again.
      runInNewContext(`const data = {};\n${script.exec.join('\n')}`, { pm }, { timeout: 1000 });
    }
    // A file has no envelope.
    return {
      code: response.code === '' && response.status === 200 ? '0' : response.code,
      text: `${response.status} ${response.text.slice(0, 500)}`,
    };
  };
  return { collection, run };
}

test.each(names)('%s is a request that the platform understands', (name) => {
  const { code, text } = responses.get(name) ?? { code: 'not run', text: '' };
  expect({ code, text: UNDERSTOOD.includes(code) ? '' : text }).toEqual({
    code: expect.stringMatching(`^(${UNDERSTOOD.join('|')})$`),
    text: '',
  });
});

test('nearly all succeed, one after the other', () => {
  const refused = [...responses].filter(([, { code }]) => code !== '0').map(([name, { text }]) => `${name}: ${text}`);
  // A photo that nobody has made, the same po_number twice, and what a cancelled forecast of type 1 does not take.
  expect({ refused, few: refused.length <= names.length / 5 }).toEqual({ refused, few: true });
});
