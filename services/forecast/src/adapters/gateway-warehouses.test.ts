import { describe, expect, test } from '@jest/globals';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createGatewayWarehouses } from './gateway-warehouses.ts';

/** A client whose gateway answers what `answer` gives. */
function setUp() {
  const calls: ServiceCall[] = [];
  const gateway = { answer: async (): Promise<unknown> => ({ warehouses: [{ code: 'WH1', name: 'One' }] }) };
  const client: ServiceClient = {
    call: <T>(call: ServiceCall) => {
      calls.push(call);
      return gateway.answer() as Promise<T>;
    },
    close: async () => undefined,
  };
  const clock = new ManualClock(0);
  const directory = createGatewayWarehouses({ client, environment: 'sandbox', clock, logger: silentLogger });
  return { calls, gateway, clock, directory };
}
const down = async (): Promise<never> => {
  throw AppError.unavailable('down');
};

describe('the directory of warehouses', () => {
  test('asks as the service itself, once for many at the same time, and not again for 5 s', async () => {
    const { calls, clock, directory } = setUp();
    expect(await Promise.all(Array.from({ length: 50 }, () => directory.exists('WH1')))).toEqual(Array(50).fill(true));
    clock.advance(4999);
    expect(await directory.exists('WH1')).toBe(true);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      service: 'gateway',
      path: '/internal/v1/warehouses',
      principal: { kind: 'system', keyId: 'forecast' },
    });
    clock.advance(1);
    await directory.exists('WH1');
    expect(calls).toHaveLength(2);
  });

  test('sees a new warehouse at once, and that one was removed within five seconds', async () => {
    const { gateway, clock, directory } = setUp();
    await directory.exists('WH1');
    gateway.answer = async () => ({ warehouses: [{ code: 'WH2', name: 'Two' }] });
    clock.advance(5000);
    expect(await directory.exists('WH1')).toBe(false);
    gateway.answer = async () => ({ warehouses: [{ code: 'WH3', name: 'Three' }] });
    expect(await directory.exists('WH3')).toBe(true);
  });

  test('sees a new warehouse that a list under way does not have yet', async () => {
    const { gateway, directory } = setUp();
    await directory.exists('WH1');
    let give: (list: unknown) => void = () => undefined;
    gateway.answer = () => new Promise((resolve) => (give = resolve));
    const other = directory.exists('NO');
    gateway.answer = async () => ({ warehouses: [{ code: 'WH2', name: 'Two' }] });
    const added = directory.exists('WH2');
    give({ warehouses: [{ code: 'WH1', name: 'One' }] });
    expect(await Promise.all([other, added])).toEqual([false, true]);
  });

  test('a clock that is set back does not freeze the copy', async () => {
    const { gateway, clock, directory } = setUp();
    await directory.exists('WH1');
    gateway.answer = async () => ({ warehouses: [{ code: 'WH2', name: 'Two' }] });
    clock.advance(-600_000);
    expect(await directory.exists('WH2')).toBe(true);
    expect(await directory.exists('WH1')).toBe(false);
  });

  test('asks for unknown codes at most ten times a second', async () => {
    const { calls, clock, directory } = setUp();
    for (let round = 0; round < 100; round += 1) {
      expect(await directory.exists(`NO-${round}`)).toBe(false);
      clock.advance(20);
    }
    expect(calls.length).toBeLessThanOrEqual(20);
  });

  test('serves the last copy while the gateway is out, and asks at most once a second', async () => {
    const { calls, gateway, clock, directory } = setUp();
    await directory.exists('WH1');
    gateway.answer = down;
    clock.advance(3_600_000);
    for (let round = 0; round < 10; round += 1) expect(await directory.exists('WH1')).toBe(true);
    expect(await directory.exists('WH2')).toBe(false);
    expect(calls).toHaveLength(2);
  });

  test('without any copy is unavailable, and recovers at once', async () => {
    const { gateway, directory } = setUp();
    const works = gateway.answer;
    gateway.answer = down;
    await expect(directory.exists('WH1')).rejects.toMatchObject({ code: '50301' });
    gateway.answer = async () => {
      throw new AppError('40003');
    };
    await expect(directory.exists('WH1')).rejects.toMatchObject({ code: '50301' });
    gateway.answer = works;
    expect(await directory.exists('WH1')).toBe(true);
  });

  test('takes no list of another shape', async () => {
    const { gateway, clock, directory } = setUp();
    await directory.exists('WH1');
    gateway.answer = async () => ({ warehouses: 'WH1' });
    clock.advance(5000);
    expect(await directory.exists('WH1')).toBe(true);
  });
});
