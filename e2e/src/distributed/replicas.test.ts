import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { Merchant, type MerchantIdentity, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { subscribed } from '../subscription.ts';
import { useStage } from '../use-stage.ts';

/* Three processes of every service side by side: what each does, and only one of them must do. */

const REPLICAS = 3;
const stage = useStage({ REPLICAS: String(REPLICAS) });
const gateways = (): readonly string[] => stage.platform.services().flatMap(({ name, url }) => (name.startsWith('gateway-') ? [url] : []));

/** One merchant, once at each gateway. */
function atEachGateway(identity: MerchantIdentity): readonly Merchant[] {
  return gateways().map((url) => new Merchant(stage.platform.client(identity.key, url), identity));
}

/** A merchant at each gateway, with a receiver of all its events. */
async function subscribedMerchant(): Promise<{ replicas: readonly Merchant[]; receiver: WebhookReceiver }> {
  const { owner, receiver } = await subscribed(stage);
  return { replicas: atEachGateway(owner.identity), receiver };
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** The events of a receiver as `po_number event_seq`, in the order in which they came. */
const eventsAt = ({ received }: WebhookReceiver, type: string): string[] =>
  received.filter((webhook) => webhook.type === type).map(({ body }) => `${body.data.po_number} ${body.data.event_seq}`);

test('a rate limit holds over all gateways together', async () => {
  const burst = 20;
  const owner = await stage.operator.newMerchant(newPoNumber('Limited'), { rate_limit: { per_second: 1, burst } });
  const replicas = atEachGateway(owner.identity);
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 90 }, (_, index) => pick(replicas, index).client.call('/open/v1/warehouses')));
  const seconds = (performance.now() - startedAt) / 1000;
  const admitted = responses.filter(({ code }) => code === '0').length;
  expect(admitted).toBeGreaterThanOrEqual(burst);
  // The bucket refills by one a second while the requests run.
  expect(admitted).toBeLessThanOrEqual(burst + Math.ceil(seconds));
  expect(responses.filter(({ code }) => code === '42901')).toHaveLength(90 - admitted);
});

test('a key revoked at one gateway stops working at all within five seconds', async () => {
  const owner = await stage.operator.newMerchant();
  const replicas = atEachGateway(owner.identity);
  const codes = async (): Promise<string[]> =>
    (await Promise.all(replicas.map(({ client }) => client.call('/open/v1/warehouses')))).map(({ code }) => code);
  expect(await codes()).toEqual(['0', '0', '0']);
  await stage.operator.revokeKey(owner.identity.keyId);
  await until(async () => (await codes()).every((code) => code === '40003'), { within: 5000, what: 'every gateway to refuse the key' });
});

test('each weighing takes effect once and is published once', async () => {
  const { replicas, receiver } = await subscribedMerchant();
  const parcels: string[] = [];
  // Enough at once that replicas meet, and no more: requests that get Retry-After are not what is tested here.
  for (let wave = 0; wave < 5; wave += 1) {
    const weighed = Array.from({ length: 9 }, async (_, index) => {
      const { po_number } = await pick(replicas, index).submit({ forecastType: 1 });
      await pick(replicas, index + 1).simulate({ po_number, step: 'weigh', photos: 0 });
      return po_number;
    });
    parcels.push(...(await Promise.all(weighed)));
  }
  await until(() => new Set(eventsAt(receiver, 'parcel.weighed')).size === parcels.length, {
    within: 30_000,
    what: 'webhooks for all weighings',
  });
  expect(eventsAt(receiver, 'parcel.weighed').sort()).toEqual(parcels.map((po) => `${po} 1`).sort());
  for (const po of parcels) expect((await pick(replicas, 2).forecast(po)).measurements).toHaveLength(1);
});

/** Sends again what a killed process was at, as a client does that gets 50301. */
async function repeated(send: () => Promise<ApiResponse<unknown>>): Promise<void> {
  const responded = async () => {
    const response = await send();
    return response.code === '50301' ? undefined : response;
  };
  const { code, text } = await until(responded, { what: 'a request to be taken', everyMs: 200 });
  expect([code, text]).toEqual(['0', text]);
}

test('goes on when a replica of every service is killed', async () => {
  const { replicas, receiver } = await subscribedMerchant();
  const victims = stage.platform.services().filter(({ name }) => name.endsWith(`-${REPLICAS}`));
  expect(victims).toHaveLength(6);
  const before = new Map(victims.map(({ name, starts }) => [name, starts]));
  const parcels: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const merchant = pick(replicas.slice(0, 2), index);
    const body = await merchant.body({ forecastType: 1 });
    const po_number = String(body['po_number']);
    await repeated(() => merchant.submitBody(body));
    if (index === 5) for (const { pid } of victims) process.kill(pid as number, 'SIGKILL');
    await repeated(() => callRoute(merchant.client, 'simulate', { body: { po_number, step: 'weigh', photos: 0 } }));
    parcels.push(po_number);
  }
  await until(() => parcels.every((po) => eventsAt(receiver, 'parcel.weighed').includes(`${po} 1`)), {
    // What a killed process was sending is sent by another once its lease has run out.
    within: 90_000,
    what: 'webhooks for all weighings',
  });
  const back = (): boolean => stage.platform.services().every(({ name, pid, starts }) => pid !== null && starts > (before.get(name) ?? 0));
  await until(back, { within: 30_000, what: 'the killed replicas to run again' });
}, 150_000);
