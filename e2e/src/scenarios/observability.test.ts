import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { type CollectedSpan, OtlpCollector } from '@parcelway/harness/otlp-collector';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';

/* What an operator sees of a parcel: its trace, the metrics, the log. */

const collector = useOpened('collector', OtlpCollector.start, (opened) => opened.stop());
const { stage, merchant } = useStageWithMerchant(() => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  ACCESS_LOG: 'on',
  LOG_LEVEL: 'info',
}));

async function ask(url: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(5000) });
  return { status: statusCode, text: await body.text() };
}

/** A parcel that came before its forecast: the submission is what everything after it follows from. */
async function weighedBySubmission(traceparent: string, owner: Merchant) {
  const receiver = await stage.receiver();
  const { secret } = await owner.createEndpoint({ url: receiver.url, event_types: ['parcel.weighed'] });
  const express_no = newPoNumber('EARLY');
  await stage.clerk.report(stage.clerk.weighing({ express_no }));
  const body = await owner.body({ trackingNumber: express_no });
  const { po_number } = await expectRoute<{ po_number: string }>(owner.client, 'submitForecast', { body, headers: { traceparent } });
  await receiver.waitForEvent('parcel.weighed', po_number);
  return { po_number, express_no, secret };
}

/** The spans whose parent has not been collected: one in a tree. */
function rootsOf(spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
}

const isAttempt = ({ service, kind }: CollectedSpan): boolean => service === 'webhook' && kind === 3;

describe('the trace of a parcel', () => {
  const traceId = randomBytes(16).toString('hex');
  const merchantSpan = randomBytes(8).toString('hex');
  let spans: readonly CollectedSpan[];
  let parcel: Awaited<ReturnType<typeof weighedBySubmission>>;

  beforeAll(async () => {
    parcel = await weighedBySubmission(`00-${traceId}-${merchantSpan}-00`, merchant);
    // Each process exports in its own time: a child may be here before its parent. Other consumers of the same events
    // may still be at work; the tree as it is when the attempt and all parents are there is enough.
    const whole = (): boolean => {
      const collected = collector.trace(traceId);
      return collected.some(isAttempt) && rootsOf(collected).every(({ parentSpanId }) => parentSpanId === merchantSpan);
    };
    await until(whole, { within: 30_000, what: 'the span of the webhook attempt and all those that led to it' }).catch((error: unknown) => {
      const names = collector.trace(traceId).map(({ service, name }) => `${service}: ${name}`);
      throw new Error(`Only these spans came: ${names.join(', ')}`, { cause: error });
    });
    spans = collector.trace(traceId);
  }, 60_000);

  /** A span and those that led to it, the first one first. */
  function wayTo(span: CollectedSpan): readonly CollectedSpan[] {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [span] : [...wayTo(parent), span];
  }

  test('leads from the POST at the gateway through every service to the webhook attempt', () => {
    const attempt = spans.find(isAttempt) as CollectedSpan;
    expect(wayTo(attempt).map(({ service, name }) => `${service}: ${name}`)).toEqual([
      'gateway: POST /open/v1/forecasts',
      'forecast: POST /open/v1/forecasts',
      expect.stringMatching(/^warehouse-intake: process .*forecast/),
      expect.stringMatching(/^forecast: process .*warehouse/),
      expect.stringMatching(/^webhook: process .*forecast/),
      'webhook: deliver parcel.weighed',
    ]);
    expect(attempt.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 204,
      'server.address': '127.0.0.1',
    });
  });

  test('is one tree below the span of the merchant', () => {
    expect(rootsOf(spans).map(({ service, parentSpanId }) => ({ service, parentSpanId }))).toEqual([
      { service: 'gateway', parentSpanId: merchantSpan },
    ]);
  });

  test('holds no key, no secret and nothing of the forecast', () => {
    const everything = collector.bodies.join('\n');
    for (const canary of [merchant.identity.key, parcel.secret, parcel.po_number, parcel.express_no])
      expect(everything).not.toContain(canary);
  });
});

describe('the admin server', () => {
  test('shows of every process that it is alive, has started and is ready', async () => {
    for (const adminUrl of stage.adminUrls()) {
      for (const path of ['/livez', '/startupz', '/readyz'])
        expect({ path, ...(await ask(`${adminUrl}${path}`)) }).toMatchObject({ path, status: 200 });
    }
  });

  test('has the metrics of all services', async () => {
    const { po_number } = await merchant.submit({ forecastType: 1 });
    await merchant.forecast(po_number);
    const text = await stage.metrics();
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{service_name="gateway",http_request_method="GET",http_route="\/open\/v1\/forecasts\/\{po_number\}",http_response_status_code="200"\} [1-9]/m,
    );
    expect(text).toMatch(/^messaging_process_duration_seconds_count\{service_name="webhook",.*outcome="done"\} [1-9]/m);
    expect(text).toMatch(/^parcelway_webhook_attempts_total\{service_name="webhook",outcome="delivered"\} [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p90_seconds \d/m);
    expect(text).not.toContain(po_number);
    expect(text).not.toContain(merchant.identity.tenantId);
  });
});

describe('the log', () => {
  test('has one line for a request and one for each attempt, with the same trace id', async () => {
    const traceId = randomBytes(16).toString('hex');
    const owner = await stage.operator.newMerchant();
    const { po_number, secret } = await weighedBySubmission(`00-${traceId}-${randomBytes(8).toString('hex')}-00`, owner);
    const linesOf = (message: string) =>
      stage.platform.log
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(traceId))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === message);
    // Each process writes in its own time.
    const has = (message: string) => linesOf(message).length > 0;
    await until(() => has('webhook attempt') && has('request'), { what: 'the lines of the attempt and of the request' });
    expect(linesOf('request')).toEqual([
      expect.objectContaining({
        service: 'gateway',
        method: 'POST',
        route: 'submitForecast',
        status: 200,
        tenant_id: owner.identity.tenantId,
        request_id: expect.any(String),
        ms: expect.any(Number),
      }),
    ]);
    expect(linesOf('webhook attempt')).toEqual([
      expect.objectContaining({
        service: 'webhook',
        outcome: 'delivered',
        status: 204,
        attempt: 1,
        event_type: 'parcel.weighed',
        delivery_id: expect.any(String),
        ms: expect.any(Number),
      }),
    ]);
    for (const canary of [owner.identity.key, secret, po_number]) expect(stage.platform.log).not.toContain(canary);
  });
});
