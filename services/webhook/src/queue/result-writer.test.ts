import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import type { Store } from '@parcelway/store/store';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import { GrowingPace } from '../intake/growing-pace.ts';
import { UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { interrupting, throughStore } from '../testing/faulty-store.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { type AttemptResult, endpointAfter } from './domain/attempt.ts';
import { createResultWriter } from './result-writer.ts';

const under = useStores();
const writerOn = (store: Store) => createResultWriter(store, new UnstoredDeliveries(store), new GrowingPace(0));
async function losingResponse(work: () => Promise<unknown>): Promise<never> {
  await work();
  throw AppError.unavailable('The response was lost');
}
const health = (endpoint: Endpoint, results: readonly AttemptResult[]) => endpointAfter(endpoint, results, T0 + 1);

test('results are recorded once, though a response of the store was lost', async () => {
  const { delivery } = await under.acceptOne();
  const leased = await under.leaseAll(T0, T0 + 60_000);
  const results = leased.map((one) => resultOf(one, 'failed'));
  const writer = writerOn(interrupting(under.documents, losingResponse));
  await expect(writer.record(results, (one) => one)).rejects.toMatchObject({ code: '50301' });
  await writer.record(results, (one) => one);
  const { endpointId } = under.endpoint;
  expect(await under.stores.log.attempts('tnt_one', endpointId, delivery.deliveryId, 10)).toHaveLength(1);
  expect(await under.find(delivery.deliveryId)).toMatchObject({ status: 'failed', attemptCount: 1 });
});

describe('an endpoint that a result disables', () => {
  let gone: AttemptResult;
  beforeEach(async () => {
    await under.acceptOne();
    const [leased] = await under.leaseAll(T0, T0 + 60_000);
    if (leased === undefined) throw new Error('Nothing was leased');
    gone = { ...resultOf(leased, 'failed'), gone: true };
  });
  const current = () => under.stores.endpoints.get('tnt_one', under.endpoint.endpointId);

  test('is not reported when the endpoint was moved before that could be written', async () => {
    const { endpoint, stores } = under;
    const moved = stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { url: 'https://new.example/' }, T0 + 1));
    const reported = stores.queue.record([gone], health);
    await moved;
    expect([await reported, await current()]).toEqual([[], expect.objectContaining({ status: 'enabled', url: 'https://new.example/' })]);
  });

  test('is reported once, when the results are written at a later try', async () => {
    let fails = true;
    const out = (): Promise<never> => Promise.reject(AppError.unavailable('The store is out'));
    const writer = writerOn(throughStore(under.documents, (name, work) => (name === 'apply' && fails ? out() : work())));
    await expect(writer.record([gone], health)).rejects.toMatchObject({ code: '50301' });
    fails = false;
    expect(await writer.record([gone], health)).toEqual([await current()]);
    expect((await current())?.status).toBe('disabled');
    expect(await writer.record([gone], health)).toEqual([]);
  });

  test('is reported when the response to its write was lost', async () => {
    const writer = writerOn(interrupting(under.documents, losingResponse));
    await expect(writer.record([gone], health)).rejects.toMatchObject({ code: '50301' });
    expect(await writer.record([gone], health)).toEqual([await current()]);
  });
});
