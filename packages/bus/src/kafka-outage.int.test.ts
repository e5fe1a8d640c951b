import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { awakeTime } from '@parcelway/kernel/testing/awake-time';
import { until } from '@parcelway/kernel/testing/until';
import { type Proxy as FaultProxy, type Toxic, Toxiproxy } from 'toxiproxy-node-client';
import type { BusDriver, LogRecord } from './driver.ts';
import { createTopics } from './testing/kafka-test-cluster.ts';
import { useKafka } from './testing/use-kafka.ts';

jest.setTimeout(120_000);

const topic = 'a.v1';
/** Time that the machine may take beside a deadline. */
const SLACK_MS = 1500;

describe('a kafka cluster that is out', () => {
  const faults = new Toxiproxy(process.env['TOXIPROXY_URL'] ?? '');
  const toxics: Toxic<unknown>[] = [];
  const proxies = async (): Promise<FaultProxy[]> => {
    const all = Object.values(await faults.getAll());
    return all.filter(({ name }) => name.startsWith('kafka'));
  };
  const silence = async (): Promise<void> => {
    for (const proxy of await proxies()) {
      for (const stream of ['upstream', 'downstream'] as const) {
        const name = `silent-${stream}`;
        toxics.push(await proxy.addToxic({ name, type: 'timeout', stream, toxicity: 1, attributes: { timeout: 0 } }));
      }
    }
  };
  const cut = async (enabled: boolean): Promise<void> => {
    for (const proxy of await proxies()) await proxy.update({ enabled, listen: proxy.listen, upstream: proxy.upstream });
  };
  const heal = async (): Promise<void> => {
    for (const toxic of toxics.splice(0)) await toxic.remove();
    await cut(true);
  };
  const has = (seen: readonly LogRecord[], text: string): boolean => seen.some(({ value }) => String(value) === text);
  const publish = (driver: BusDriver, value: string): Promise<void> => driver.publish([{ topic, key: 'k', value }]);
  const publishAtLast = (driver: BusDriver, value: string): Promise<unknown> =>
    until(
      () =>
        publish(driver, value).then(
          () => true,
          () => false,
        ),
      { what: `publishing ${value}` },
    );
  const elapsed = async (work: Promise<unknown>): Promise<number> => {
    return (await awakeTime(() => work)).ms;
  };

  // Before the drivers are closed.
  afterEach(heal);
  const kafka = useKafka('KAFKA_BROKERS_PROXIED');
  beforeEach(() => createTopics(kafka.connection, [topic]));

  test('silent: everything fails within its deadline, and works again afterwards', async () => {
    const driver = await kafka.open();
    const seen = await kafka.collect(driver, 'g', [topic]);
    await publish(driver, 'before');
    await until(() => has(seen, 'before'), { what: 'the first record' });
    await silence();
    const unavailable = { code: '50301' };
    expect(await elapsed(expect(publish(driver, 'lost')).rejects.toMatchObject(unavailable))).toBeLessThan(5000 + SLACK_MS);
    expect(await elapsed(expect(driver.check()).rejects.toMatchObject(unavailable))).toBeLessThan(2000 + SLACK_MS);
    expect(await elapsed(expect(driver.lag({ group: 'g', topic })).rejects.toMatchObject(unavailable))).toBeLessThan(5000 + SLACK_MS);
    await heal();
    await publishAtLast(driver, 'after');
    await until(() => has(seen, 'after'), { what: 'the record after the outage', within: 60_000 });
    await expect(driver.check()).resolves.toBeUndefined();
  });

  test('not there when the bus is opened: the bus opens, and works when the cluster has come', async () => {
    await cut(false);
    const driver = await kafka.open();
    const seen = await kafka.collect(driver, 'g', [topic]);
    expect(await elapsed(expect(publish(driver, 'early')).rejects.toMatchObject({ code: '50301' }))).toBeLessThan(5000 + SLACK_MS);
    await expect(driver.check()).rejects.toMatchObject({ code: '50301' });
    await cut(true);
    await publishAtLast(driver, 'late');
    await until(() => has(seen, 'late'), { what: 'the record' });
  });

  test('still out: closing takes no longer than its deadlines', async () => {
    const driver = await kafka.open();
    const seen = await kafka.collect(driver, 'g', [topic]);
    await publish(driver, 'before');
    await until(() => has(seen, 'before'), { what: 'the record' });
    await silence();
    expect(await elapsed(driver.close())).toBeLessThan(12_000);
  });
});
