import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { closeOpened, harness, receiver, verify } from '../testing/delivery-views.ts';

closeOpened();

describe('signatures', () => {
  test('for a day after a rotation both secrets verify, and a second rotation ends the oldest', async () => {
    const hook = await receiver();
    const h = await harness();
    const { endpoint_id, secret: oldest } = await h.register(hook.url);
    const rotate = async (): Promise<string> => {
      const response = await h.call('POST', `/${endpoint_id}/rotate-secret`);
      expect(response.status).toBe(200);
      const { secret, former_secret_end_time: end } = response.data as unknown as { secret: string; former_secret_end_time: string };
      expect(Math.abs(Date.parse(end) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
      return secret;
    };
    expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ former_secret_end_time: null });
    const older = await rotate();
    await h.weigh();
    await until(() => hook.received.length === 1, { what: 'the first delivery' });
    for (const secret of [oldest, older]) expect(verify(secret, hook.received[0])).toBeDefined();
    const newest = await rotate();
    await h.weigh();
    await until(() => hook.received.length === 2, { what: 'the second delivery' });
    for (const secret of [older, newest]) expect(verify(secret, hook.received[1])).toBeDefined();
    expect(() => verify(oldest, hook.received[1])).toThrow('No matching signature');
    expect(hook.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    // One that has leaked.
    const { data } = await h.call('POST', `/${endpoint_id}/rotate-secret`, { end_former_secret: true });
    await h.weigh();
    await until(() => hook.received.length === 3, { what: 'the third delivery' });
    expect(hook.received[2]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(verify((data as unknown as { secret: string }).secret, hook.received[2])).toBeDefined();
  });
});
