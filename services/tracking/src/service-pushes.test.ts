import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConnectedSource } from './accounts/adapters/connected-source.ts';
import { type PushedService, startPushed } from './testing/pushed-service.ts';
import { numberOf, rowAgo } from './testing/source-driver.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const scan = rowAgo('in transit', 10);
const delivery = rowAgo('delivered', 5);

/** One that registers parcels for queries, and one that registers none: what follows from a push is no matter of the vendor. */
const sources = ['17track', 'dhl'];

let number: string;
let service: PushedService;
const nodes = async (): Promise<unknown> => (await service.driver.query('PO-FC1')).body.data?.['nodes'];

async function start(name: string): Promise<void> {
  number = numberOf(name);
  service = await startPushed(name);
  service.server.addRows(number, scan);
  await service.dispatch('FC1', number);
  await service.untilStatus('In Transit');
}
afterEach(() => service.close());
afterEach(() => void jest.restoreAllMocks());

describe.each(sources)('a push of %s', (name) => {
  beforeEach(() => start(name));

  test('that is lost after others is made up for a day later: a source that pushes is seldom asked', async () => {
    expect(await service.push(service.server.signPush(number))).toBe(200);
    service.server.addRows(number, delivery);
    const before = service.queries();
    service.advance(3 * HOUR);
    // Another parcel is polled meanwhile: so this one was due, and was not asked for.
    const other = numberOf(name, 2);
    service.server.addRows(other, scan);
    await service.dispatch('FC2', other);
    await service.untilStatus('In Transit', 'FC2');
    expect(
      service.server.calls.slice(before).filter(({ kind, numbers }) => kind === 'query' && numbers.includes(number)).length,
    ).toBeLessThanOrEqual(1);
    expect(service.statuses()).toEqual(['In Transit']);
    service.advance(DAY);
    await service.untilStatus('Delivery Success');
  });

  test('that comes several times, at once or later, counts once', async () => {
    service.server.addRows(number, delivery);
    const push = service.server.signPush(number);
    expect(await Promise.all([push, push, push].map((one) => service.push(one)))).toEqual([200, 200, 200]);
    await service.untilStatus('Delivery Success');
    const before = await nodes();
    service.advance(2 * HOUR);
    expect(await service.push(push)).toBe(200);
    expect(await nodes()).toEqual(before);
    expect(service.statuses()).toEqual(['In Transit', 'Delivery Success']);
    const { telemetry } = service.driver;
    const labels = { connection: 'a-connecti…', owner: 'operator', outcome: 'accepted' };
    expect(telemetry.recorded('parcelway_source_pushes_total')).toEqual(Array(4).fill([labels, 1]));
    await telemetry.readAll();
    expect(telemetry.recorded('parcelway_source_last_push_timestamp_seconds')).toHaveLength(1);
  });

  test('that is older than what is known adds its nodes, and changes no status', async () => {
    const rows = [scan, rowAgo('out for delivery', 7)];
    expect(await service.push(service.server.signPush(number, { rows: [...rows, delivery] }))).toBe(200);
    await service.untilStatus('Delivery Success');
    expect(await service.push(service.server.signPush(number, { rows }))).toBe(200);
    expect(await service.push(service.server.signPush(number, { rows: [scan] }))).toBe(200);
    expect(await service.stored('FC1')).toBe('Delivery Success');
    expect(await nodes()).toHaveLength(3);
    expect(service.statuses().at(-1)).toBe('Delivery Success');
    expect(service.statuses().filter((status) => status === 'Delivery Success')).toHaveLength(1);
  });

  test('whose nodes fail after it was read is an error of ours', async () => {
    jest.spyOn(ConnectedSource.prototype, 'nodesOf').mockImplementation(() => {
      throw new Error('The nodes cannot be chosen');
    });
    expect(await service.push(service.server.signPush(number))).toBe(500);
  });

  test('is of all parcels under watch with its number, whichever forecast they belong to', async () => {
    await service.dispatch('FC2', number);
    await service.untilStatus('In Transit', 'FC2');
    service.server.addRows(number, delivery);
    expect(await service.push(service.server.signPush(number))).toBe(200);
    for (const forecastNo of ['FC1', 'FC2']) expect(await service.stored(forecastNo)).toBe('Delivery Success');
  });
});
