import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { startGateway, startTelemetry, type TestGateway } from '../../testing/harness.ts';
import { holding } from '../../testing/held-upstream.ts';
import { upstreamLimits } from '../domain/client-shares.ts';

describe('the metrics of requests at a service', () => {
  const upstream = holding();
  let telemetry: Telemetry;
  let gateway: TestGateway;
  beforeEach(async () => {
    telemetry = await startTelemetry();
    gateway = await startGateway(upstream.listener, { clear: true, telemetry });
  });
  afterEach(upstream.respondAll);

  /** The lines of a metric, without its name and the service that counts it. */
  const linesOf = async (name: string): Promise<string[]> => {
    const { text } = await telemetry.expose();
    const start = `${name}{service_name="gateway",`;
    return text.split('\n').flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []));
  };
  const has = (name: string, line: string) => async () => (await linesOf(name)).includes(line);
  const list = (key: string) => gateway.call('/open/v1/forecasts', { key, headers: { 'x-forwarded-proto': 'https' } });

  test('show the requests at a service and their limit', async () => {
    const responses = [list((await gateway.issue()).key)];
    await until(has('parcelway_upstream_requests', 'upstream="forecast",body="small"} 1'), { what: 'the first' });
    const most = upstreamLimits.connections.capacity;
    expect(await linesOf('parcelway_upstream_requests_limit')).toContain(`upstream="forecast",body="small"} ${most}`);
    await until(() => upstream.held.length === 1, { what: 'the request at the service' });
    upstream.respondAll();
    await until(has('parcelway_upstream_requests', 'upstream="forecast",body="small"} 0'), { what: 'the response' });
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200]);
  });
});
