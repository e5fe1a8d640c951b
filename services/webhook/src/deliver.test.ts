import { afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Answering, type Receiver, startReceiver, until } from './testing/receiver.ts';
import { type Harness, openHarness } from './testing/webhook-harness.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function harness(env?: Record<string, string>, dataDirectory?: string): Promise<Harness> {
  const made = await openHarness(env, dataDirectory);
  opened.push({ close: () => made.stop() });
  return made;
}

async function receiver(answer?: Answering): Promise<Receiver> {
  const made = await startReceiver(answer);
  opened.push(made);
  return made;
}

describe('the way of an event', () => {
  test('reaches the endpoint signed, once, with the body of the contract', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id, secret } = await h.register(hook.url);
    const eventId = await h.weigh({ forecastNo: 'FC1', poNumber: 'PO-9' });
    const [got] = await until('a delivery', () => hook.received.length > 0 && hook.received);
    expect(got?.headers['webhook-id']).toBe(eventId);
    expect(got?.headers['content-type']).toBe('application/json');
    const body = new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>) as Record<string, unknown>;
    expect(body).toEqual({
      type: 'parcel.weighed',
      timestamp: expect.any(String),
      data: {
        event_id: eventId,
        event_seq: 1,
        environment: 'sandbox',
        forecast_no: 'FC1',
        po_number: 'PO-9',
        status: 3,
        weighed_at: expect.any(String),
      },
    });
    const list = await until('the delivery to be recorded', async () => {
      const { data } = await h.call('GET', `/${endpoint_id}/deliveries`);
      return (data as never as { deliveries: { status: string; attempt_count: number }[] }).deliveries[0]?.status === 'succeeded' && data;
    });
    expect(list).toMatchObject({ deliveries: [{ status: 'succeeded', attempt_count: 1, last_status_code: 200, next_attempt_time: null }] });
  });
});
