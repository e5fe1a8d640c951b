import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { startReceiver } from '../testing/receiver.ts';
import { openHarness } from '../testing/webhook-harness.ts';

test('what was not recorded is sent again under the same id after a crash', async () => {
  let respondLate = (): void => undefined;
  const hook = await startReceiver((_req, res, count) => {
    if (count === 1) respondLate = () => void res.end('late');
    else res.end('ok');
  });
  const first = await openHarness();
  const { endpoint_id } = await first.register(hook.url);
  const eventId = await first.weigh();
  await until(() => hook.received.length === 1, { what: 'the first attempt' });
  await first.crash();
  const second = await openHarness({}, first.dataDirectory);
  const [delivery] = await until(
    async () => {
      const { data } = await second.call('GET', `/${endpoint_id}/deliveries?status=succeeded`);
      const { deliveries } = data as unknown as { deliveries: { event_id: string }[] };
      return deliveries.length > 0 && deliveries;
    },
    { what: 'the delivery' },
  );
  expect(delivery?.event_id).toBe(eventId);
  expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
  expect(hook.received[1]?.body).toBe(hook.received[0]?.body);
  // Only to end what the crashed one left behind in this process.
  respondLate();
  await first.service.stop().catch(() => undefined);
  await second.stop();
  await hook.close();
});
