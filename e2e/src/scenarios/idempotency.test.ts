import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, type RouteCall } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { FormData } from 'undici';
import { useStageWithMerchant } from '../use-stage.ts';

/* A call that creates something, repeated with the same Idempotency-Key, in every route that takes one. */

const { stage, merchant } = useStageWithMerchant();
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
