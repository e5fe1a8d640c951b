import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { type CollectedSpan, startOtlpCollector } from '@parcelway/harness/otlp-collector';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';

/* What an operator sees of a parcel over all services: its trace. */

const collector = useOpened('collector', startOtlpCollector, (opened) => opened.stop());
const { stage, merchant } = useStageWithMerchant(() => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
}));

/** A parcel that came before its forecast: the submission is what everything after it follows from. */
async function weighedBySubmission(traceparent: string) {
  const receiver = await stage.receiver();
  const { secret } = await merchant.createEndpoint({ url: receiver.url, event_types: ['parcel.weighed'] });
  const express_no = newPoNumber('EARLY');
  await stage.clerk.report(stage.clerk.weighing({ express_no }));
  const body = await merchant.body({ trackingNumber: express_no });
  const { po_number } = await expectRoute<{ po_number: string }>(merchant.client, 'submitForecast', { body, headers: { traceparent } });
  await receiver.waitForEvent('parcel.weighed', po_number);
  return { po_number, express_no, secret };
}

/** The spans whose parent has not been collected: one in a tree. */
function rootsOf(spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''));
}

const isAttempt = ({ service, kind }: CollectedSpan): boolean => service === 'webhook' && kind === 3;

describe('the trace of a parcel', () => {
  const traceId = randomBytes(16).toString('hex');
  const merchantSpan = randomBytes(8).toString('hex');
  let spans: readonly CollectedSpan[];
  let parcel: Awaited<ReturnType<typeof weighedBySubmission>>;

  beforeAll(async () => {
    parcel = await weighedBySubmission(`00-${traceId}-${merchantSpan}-00`);
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
