import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { accepted, dispatched } from './testing/forecast-events.ts';
import { type ServiceDriver, startTracking } from './testing/service-driver.ts';

const NUMBER = 'EZ1000000001';
const SECRET_ID = 'a-connection-that-nobody-guesses';
/** What metrics show of it. */
const SHOWN_ID = 'a-connecti…';

let driver: ServiceDriver;
afterEach(() => driver.close());
const recorded = (name: string) => driver.telemetry.recorded(name);

describe('a service with a connection to EasyPost', () => {
  let server: SourceServer;
  beforeAll(async () => {
    const start = sourceServers['easypost'];
    if (start === undefined) throw new Error('There is no server of EasyPost');
    server = await start();
  });
  afterAll(() => server.close());

  test('counts its calls and pushes, and shows when it was last pushed to', async () => {
    const { baseUrl: base_url, credentials } = server;
    server.setLimits({ requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null });
    const connection = { id: SECRET_ID, source: 'easypost', base_url, carriers: ['*'], credentials };
    driver = await startTracking({ TRACKING_SOURCES: JSON.stringify([connection]) });
    await driver.publish('forecast.accepted', accepted('FC1', 'PO-1'));
    await driver.publish('forecast.dispatched', dispatched('FC1', 'PO-1', NUMBER, 'ups'));
    const called = () => recorded('parcelway_source_calls_total').flatMap(([labels, value]) => (value > 0 ? [labels] : []));
    const labels = { connection: SHOWN_ID, owner: 'operator' };
    await until(() => called().length >= 2, { what: 'the registration and the query' });
    expect(called().slice(0, 2)).toEqual([
      { ...labels, kind: 'register', outcome: 'ok' },
      { ...labels, kind: 'query', outcome: 'ok' },
    ]);

    server.addRows(NUMBER, { stage: 'in transit', at: new Date(Date.now() - 3_600_000).toISOString(), city: 'Hamburg', country: 'DE' });
    const push = server.signPush(NUMBER);
    expect(await driver.push('easypost', SECRET_ID, push)).toBe(200);
    expect(await driver.push('easypost', SECRET_ID, { ...push, body: `${push.body} ` })).toBe(401);
    expect(await driver.push('easypost', 'an-id-that-does-not-exist', push)).toBe(404);
    expect(recorded('parcelway_source_pushes_total')).toEqual([
      [{ ...labels, outcome: 'accepted' }, 1],
      [{ ...labels, outcome: 'refused' }, 1],
    ]);
    await driver.telemetry.readAll();
    const [[, pushedAt] = [{}, 0]] = recorded('parcelway_source_last_push_timestamp_seconds');
    expect(Math.abs(Date.now() / 1000 - pushedAt)).toBeLessThan(60);
    expect(recorded('parcelway_source_calls_used').at(-1)).toEqual([{ connection: SHOWN_ID }, expect.any(Number)]);
  });
});

test('in production a poll of a carrier that nothing serves is counted, beginning with 0', async () => {
  driver = await startTracking({}, 'production');
  expect(recorded('parcelway_tracking_unserved_polls_total')).toEqual([[{}, 0]]);
  await driver.publish('forecast.accepted', accepted('FC1', 'PO-1'));
  await driver.publish('forecast.dispatched', dispatched('FC1', 'PO-1', 'NUMBER1', 'nobody'));
  await until(() => recorded('parcelway_tracking_unserved_polls_total').length > 1, { what: 'the poll' });
  expect(recorded('parcelway_tracking_unserved_polls_total')[1]).toEqual([{}, 1]);
});
