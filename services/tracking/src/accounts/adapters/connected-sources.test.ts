import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { Agent } from 'undici';
import { numberOf, rowAgo, type SourceDriver, startSource, statusesOf } from '../../testing/source-driver.ts';
import { MAX_NODES } from '../../watch/domain/node.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe.each(Object.keys(sourceServers))('%s', (name) => {
  const number = numberOf(name);
  let driver: SourceDriver;
  beforeEach(async () => {
    driver = await startSource(name);
  });
  afterEach(() => driver.close());

  const numbersAt = (kind: string): string[] => driver.server.calls.filter((call) => call.kind === kind).flatMap(({ numbers }) => numbers);

  describe('a number', () => {
    test('that is known has its nodes', async () => {
      driver.server.addRows(number, rowAgo('picked up', 20), rowAgo('in transit', 10), rowAgo('delivered', 1, { text: 'Delivered' }));
      const { nodes, report } = await driver.ask(number);
      expect([...nodes].sort((a, b) => a.createTime.localeCompare(b.createTime)).at(-1)).toMatchObject({
        adminStatus: 'Delivery Success',
        times: '(GMT+08:00)',
        content: 'Delivered',
      });
      expect(nodes).toHaveLength(3);
      expect(report).toMatchObject({ undated: [] });
    });

    test('that is not known yet has no news, until it is known', async () => {
      expect(await driver.outcomeOf(number)).toEqual([]);
      driver.clock.advance(MINUTE);
      driver.server.addRows(number, rowAgo('in transit', 1));
      expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
    });

    test('that is rejected is left to other sources, and is asked for again after an hour', async () => {
      driver.server.refuse(number);
      const error = await driver.ask(number).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ name: 'NotNow', maySkip: false, until: driver.clock.now() + 60 * MINUTE });
      expect((error as Error).message).toContain('no source takes the number');
    });

    test('that was asked for less than a minute ago is not asked for again', async () => {
      await driver.ask(number);
      const before = driver.server.calls.length;
      driver.clock.advance(MINUTE - 1);
      expect(await driver.outcomeOf(number)).toBe('NotNow');
      expect(driver.server.calls).toHaveLength(before);
    });
  });

  describe('a registration', () => {
    test('is made once and only once, whichever process asks', async () => {
      driver.server.addRows(number, rowAgo('in transit', 1));
      for (let day = 0; day < 4; day += 1) {
        expect(await driver.outcomeOf(number, { process: day % 2 })).toEqual(['In Transit']);
        driver.clock.advance(DAY);
      }
      expect(numbersAt('register')).toEqual(driver.source.registersFor === null ? [] : [number]);
      expect(numbersAt('query')).toEqual([number, number, number, number]);
    });

    test('is made again when the vendor has lost it', async () => {
      driver.server.addRows(number, rowAgo('in transit', 1));
      await driver.ask(number);
      const { reference = null } = driver.shipment(number).registration ?? {};
      await unregister(driver, number, reference);
      driver.clock.advance(MINUTE);
      const isNeeded = driver.source.registersFor === 'queries';
      expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
      expect(numbersAt('register')).toHaveLength(isNeeded ? 2 : driver.source.registersFor === null ? 0 : 1);
    });

    test('is made again when its time is over', async () => {
      const { registrationLastsMs = 100 * DAY, registersFor } = driver.source;
      await driver.ask(number);
      driver.clock.advance(registrationLastsMs);
      await driver.ask(number);
      const isOver = driver.source.registrationLastsMs !== undefined;
      expect(numbersAt('register')).toHaveLength(registersFor === null ? 0 : isOver ? 2 : 1);
    });
  });

  test('a call takes as many numbers as it may, whoever they belong to', async () => {
    const asked = Array.from({ length: 30 }, (_, index) => ({ number: numberOf(name, index), tenantId: `tnt_${index % 10}` }));
    for (const one of asked) driver.server.addRows(one.number, rowAgo('in transit', 1));
    const askAll = () => Promise.all(asked.map((one) => driver.outcomeOf(one.number, one)));
    await askAll();
    driver.clock.advance(MINUTE);
    const before = driver.server.calls.length;
    expect(await askAll()).toEqual(asked.map(() => ['In Transit']));
    const calls = driver.server.calls.slice(before).filter(({ kind }) => kind !== 'token');
    const { numbersPerQuery } = driver.source.limits;
    expect(calls).toHaveLength(Math.ceil(asked.length / numbersPerQuery));
    expect(calls.flatMap(({ numbers }) => numbers).sort()).toEqual(asked.map((one) => one.number).sort());
  });

  describe('rows', () => {
    test('without a zone have one that is derived or assumed', async () => {
      driver.server.addRows(number, rowAgo('in transit', 30), rowAgo('in transit', 20, { hasZone: false }));
      driver.server.addRows(number, { stage: 'in transit', at: rowAgo('in transit', 10).at, hasZone: false });
      const { nodes } = await driver.ask(number);
      expect(nodes).toHaveLength(3);
      const oldestFirst = [...nodes].sort((a, b) => a.createTime.localeCompare(b.createTime));
      expect(oldestFirst[0]?.timeAssumed).toBeUndefined();
      // The place has one zone: it is derived from there, or nobody knows it.
      expect(oldestFirst.filter(({ timeAssumed }) => timeAssumed).length).toBeGreaterThan(0);
    });

    test('without a time are kept apart', async () => {
      driver.server.addRows(number, rowAgo('in transit', 10), { stage: 'exception', at: null, text: 'Held' });
      const { nodes, report } = await driver.ask(number);
      expect(statusesOf(nodes)).toEqual(['In Transit']);
      expect(report?.undated).toMatchObject([{ content: 'Held' }]);
    });

    test('of the parcel that had the number before are not shown', async () => {
      driver.server.addFormerParcel(number, rowAgo('in transit', 24 * 60), rowAgo('delivered', 24 * 59));
      driver.server.addRows(number, rowAgo('in transit', 10));
      expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
    });

    test('of the parcel that had the number before are not shown while the parcel has none', async () => {
      driver.server.addFormerParcel(number, rowAgo('delivered', 24 * 59));
      expect(await driver.outcomeOf(number)).toEqual([]);
    });

    test('of two carriers are the nodes of one parcel', async () => {
      driver.server.addRows(number, rowAgo('picked up', 30, { leg: 1 }), rowAgo('in transit', 20, { leg: 1, text: 'Departed' }));
      driver.server.addRows(number, rowAgo('in transit', 10, { leg: 2, text: 'Arrived' }), rowAgo('delivered', 1, { leg: 2 }));
      const { nodes } = await driver.ask(number);
      expect(nodes.map(({ content }) => content).sort()).toEqual(['Arrived', 'Departed', 'delivered', 'picked up']);
      expect(statusesOf(nodes)).toContain('Delivery Success');
    });

    test('that correct a delivery are what counts', async () => {
      driver.server.addRows(number, rowAgo('in transit', 30), rowAgo('delivered', 20));
      await driver.ask(number);
      driver.clock.advance(MINUTE);
      driver.server.replaceRows(number, rowAgo('in transit', 30), rowAgo('exception', 5));
      const statuses = await driver.outcomeOf(number);
      expect(statuses).toContain('Exception');
      expect(statuses).not.toContain('Delivery Success');
    });

    test('of unknown codes count, and are never the end', async () => {
      driver.server.addRows(number, rowAgo('in transit', 30), rowAgo('in transit', 5, { code: 'QQ9999' }));
      const { nodes } = await driver.ask(number);
      expect(nodes).toHaveLength(2);
      expect(statusesOf(nodes)).not.toContain('Delivery Success');
    });

    test('are as many as are kept', async () => {
      driver.server.addRows(
        number,
        ...Array.from({ length: MAX_NODES + 200 }, (_, index) => rowAgo('in transit', 20, { text: `Scan ${index}` })),
      );
      expect((await driver.ask(number)).nodes.length).toBeLessThanOrEqual(MAX_NODES);
    });
  });
});

/** Takes the registration away, as somebody does who uses the account of the vendor, too. */
async function unregister({ source, server, connection }: SourceDriver, trackingNumber: string, reference: string | null): Promise<void> {
  const dispatcher = new Agent();
  const client = source.connect({ baseUrl: server.baseUrl, credentials: connection.credentials, dispatcher });
  await client.unregister([{ trackingNumber, dispatchedAt: 0, carrierCode: 'unknown', reference }], AbortSignal.timeout(5000));
  await dispatcher.close();
}
