import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, type RouteCall } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { FormData } from 'undici';
import { useMerchant, useSharedStageWithMerchant } from '../use-stage.ts';

/* A call that creates something, repeated with the same Idempotency-Key, in every route that takes one. */

const { stage, merchant } = useSharedStageWithMerchant();
const other = useMerchant(stage);
let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `key-${process.pid}-${keys}`;
};

const with_ = (key: string): { readonly headers: Record<string, string> } => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers }: ApiResponse<unknown>): unknown => headers['idempotent-replayed'];

/** The response that a repeat has to have. */
function expectReplay(first: ApiResponse<unknown>, again: ApiResponse<unknown>): void {
  expect({ code: first.code, replayed: replayed(first) }).toEqual({ code: '0', replayed: undefined });
  expect({ status: again.status, replayed: replayed(again), text: again.text }).toEqual({
    status: first.status,
    replayed: 'true',
    text: first.text,
  });
}

/** Makes a call twice with one key, then with another body. @returns data of the first response */
async function repeat<T>(id: string, call: RouteCall, otherCall: RouteCall): Promise<T> {
  const key = newKey();
  const first = await callRoute<T>(merchant.client, id, { ...call, ...with_(key) });
  expectReplay(first, await callRoute<T>(merchant.client, id, { ...call, ...with_(key) }));
  const conflict = await callRoute(merchant.client, id, { ...otherCall, ...with_(key) });
  expect(conflict).toMatchObject({ status: 409, code: '40901', data: { header: 'Idempotency-Key' } });
  return first.data;
}

async function endpointsOf(one: Merchant): Promise<number> {
  const { data } = await callRoute<{ endpoints: unknown[] }>(one.client, 'listEndpoints');
  return data.endpoints.length;
}

test('the connection of an account takes effect once', async () => {
  const body = { source: 'dhl', carriers: ['not-used'], credentials: { key: 'k', push_token: 't' } };
  await repeat('createConnection', { body }, { body: { ...body, carriers: ['other'] } });
  const { data } = await callRoute<{ connections: unknown[] }>(merchant.client, 'listConnections');
  expect(data.connections).toHaveLength(1);
});

test('a key is created and rotated once', async () => {
  const made = await repeat<{ key_id: string }>('createKey', { body: { description: 'one' } }, { body: { description: 'other' } });
  const path = { key_id: made.key_id };
  await repeat('rotateKey', { path, body: {} }, { path, body: { overlap_seconds: 0 } });
  const { data } = await callRoute<{ keys: Array<{ description: string }> }>(merchant.client, 'listKeys');
  expect(data.keys.filter(({ description }) => description === 'one')).toHaveLength(2);
});

test('registration and rotation take effect once', async () => {
  const receiver = await stage.receiver();
  const before = await endpointsOf(merchant);
  const body = { url: receiver.url };
  const made = await repeat<{ endpoint_id: string; secret: string }>(
    'createEndpoint',
    { body },
    { body: { ...body, description: 'other' } },
  );
  expect(await endpointsOf(merchant)).toBe(before + 1);
  const path = { endpoint_id: made.endpoint_id };
  const rotated = await repeat<{ secret: string }>('rotateSecret', { path, body: {} }, { path, body: { end_former_secret: true } });
  expect(rotated.secret).not.toBe(made.secret);
  // The secret before still signs: a second rotation would have ended it.
  await callRoute(merchant.client, 'sendTestEvent', { path });
  const [sent] = await until(async () => (receiver.received.length > 0 ? receiver.received : undefined), { what: 'a test event' });
  expect(String(sent?.headers['webhook-signature']).split(' ')).toHaveLength(2);
});

test('test event, resend and replay take effect once', async () => {
  const receiver = await stage.receiver();
  const { endpoint_id } = await merchant.createEndpoint({ url: receiver.url });
  const path = { endpoint_id };
  const { delivery_id } = await repeat<{ delivery_id: string }>(
    'sendTestEvent',
    { path, body: {} },
    { path, body: { event_type: 'parcel.weighed' } },
  );
  const { data } = await callRoute<{ deliveries: unknown[] }>(merchant.client, 'listDeliveries', { path });
  expect(data.deliveries).toHaveLength(1);
  const key = newKey();
  const resend = { path: { endpoint_id, delivery_id }, ...with_(key) };
  expectReplay(await callRoute(merchant.client, 'resendDelivery', resend), await callRoute(merchant.client, 'resendDelivery', resend));
  const since = new Date(Date.now() - 60_000).toISOString();
  await repeat('replayDeliveries', { path, body: { since } }, { path, body: { since, only: 'all' } });
});

test('the key of a submission repeats its response after the cancellation, and a new key submits again', async () => {
  const body = await merchant.body({ forecastType: 1 });
  const [key, anotherKey] = [newKey(), newKey()];
  const first = await callRoute<{ forecast_no: string }>(merchant.client, 'submitForecast', { body, ...with_(key) });
  expect((await merchant.cancel(String(body['po_number']))).code).toBe('0');
  expectReplay(first, await callRoute(merchant.client, 'submitForecast', { body, ...with_(key) }));
  const again = await callRoute<{ forecast_no: string }>(merchant.client, 'submitForecast', { body, ...with_(anotherKey) });
  expect({ code: again.code, replayed: replayed(again) }).toEqual({ code: '0', replayed: undefined });
  expect(again.data.forecast_no).not.toBe(first.data.forecast_no);
});

test('submission and simulation take effect once', async () => {
  const body = await merchant.body({ forecastType: 1 });
  await repeat('submitForecast', { body }, { body: { ...body, po_number: newPoNumber() } });
  const weigh = { po_number: String(body.po_number), step: 'weigh', weight_kg: 2 };
  await repeat('simulate', { body: weigh }, { body: { ...weigh, weight_kg: 3 } });
  await merchant.untilWeighing(String(body.po_number), ({ weight_kg }) => weight_kg === 2);
  expect((await merchant.weighing(String(body.po_number))).weighing_images).toHaveLength(1);
});

test('uploads take effect once, known by content and file name', async () => {
  const send = (client: Merchant['client'], path: string, key: string, name: string, content: Uint8Array, type: string) => {
    const form = new FormData();
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>], { type }), name);
    return client.call(path, { method: 'POST', body: form, ...with_(key) });
  };
  const cases = [
    {
      client: merchant.client,
      path: '/open/v1/files/pdf',
      type: 'application/pdf',
      make: (mark: string) => samplePdf(mark),
      suffix: 'pdf',
    },
    { client: stage.clerk.client, path: '/warehouse/v1/photos', type: 'image/png', make: (mark: string) => samplePng(mark), suffix: 'png' },
  ];
  for (const { client, path, type, make, suffix } of cases) {
    const [key, content] = [newKey(), make(newPoNumber())];
    const first = await send(client, path, key, `one.${suffix}`, content, type);
    expectReplay(first, await send(client, path, key, `one.${suffix}`, content, type));
    for (const [name, changed] of [
      [`two.${suffix}`, content],
      [`one.${suffix}`, make(newPoNumber())],
    ] as const) {
      expect(await send(client, path, key, name, changed, type)).toMatchObject({ status: 409, code: '40901' });
    }
  }
});

test('twenty at once come to one effect, and each learns of it when it asks again', async () => {
  const receiver = await stage.receiver();
  const before = await endpointsOf(other);
  const call = { body: { url: receiver.url }, ...with_(newKey()) };
  const responses = await Promise.all(Array.from({ length: 20 }, () => callRoute(other.client, 'createEndpoint', call)));
  expect(responses.every(({ code }) => code === '0' || code === '40902')).toBe(true);
  for (const { code, headers } of responses) if (code === '40902') expect(headers['retry-after']).toBe('1');
  const made = responses.filter((response) => response.code === '0' && replayed(response) === undefined);
  expect(made).toHaveLength(1);
  expectReplay(made[0] as ApiResponse, await callRoute(other.client, 'createEndpoint', call));
  expect(await endpointsOf(other)).toBe(before + 1);
});

test('the same key of another tenant is another key', async () => {
  const receiver = await stage.receiver();
  const call = { body: { url: receiver.url }, ...with_(newKey()) };
  const [mine, theirs] = [await callRoute(merchant.client, 'createEndpoint', call), await callRoute(other.client, 'createEndpoint', call)];
  expect([replayed(mine), replayed(theirs), theirs.code]).toEqual([undefined, undefined, '0']);
  expect(theirs.data.endpoint_id).not.toBe(mine.data.endpoint_id);
});

test('a malformed key is refused by the name of the header', async () => {
  for (const key of ['', 'a b', 'x'.repeat(65)]) {
    const response = await callRoute(merchant.client, 'createEndpoint', { body: { url: 'https://a.example/' }, ...with_(key) });
    expect(response).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field: 'Idempotency-Key' }] } });
  }
});
