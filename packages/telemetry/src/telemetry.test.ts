import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { openTelemetry, type Telemetry } from './telemetry.ts';
import { parseTraceParent } from './trace-parent.ts';

/** Spans of an OTLP request in JSON, as far as they are looked at (opentelemetry-proto, trace/v1). */
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number; readonly message?: string };
}

let telemetry: Telemetry | undefined;
let collector: Server | undefined;
afterEach(async () => {
  await telemetry?.close();
  collector?.closeAllConnections();
  await new Promise((resolve) => (collector ? collector.close(resolve) : resolve(undefined)));
  telemetry = undefined;
  collector = undefined;
});

/** A collector that keeps what it is sent, and the headers of the last request. */
async function startCollector() {
  const requests: OtlpRequest[] = [];
  const seen: { path: string | undefined; token: string | string[] | undefined }[] = [];
  collector = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += String(chunk)));
    req.on('end', () => {
      seen.push({ path: req.url, token: req.headers['x-token'] });
      requests.push(JSON.parse(text) as OtlpRequest);
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const spans = () =>
    requests.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
      }),
    );
  return { endpoint, spans, seen };
}

const open = async (traces?: { endpoint: string; ratio: number }) => {
  telemetry = await openTelemetry({
    version: '1',
    logger: silentLogger,
    traces: traces && { ...traces, headers: { 'x-token': 't' } },
  });
  return telemetry;
};

test('without a collector a trace is passed on as it came, and one is begun where there is none', async () => {
  const { tracer } = (await open()).of('forecast');
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(tracer.start('a', { kind: 'server', parent }).traceparent).toBe(parent);
  expect(parseTraceParent(tracer.start('a', { kind: 'server', parent: 'nonsense' }).traceparent)).toBeDefined();
});

test('spans of several services come to the collector as one tree', async () => {
  const { endpoint, spans, seen } = await startCollector();
  const { of, close } = await open({ endpoint: `${endpoint}/`, ratio: 1 });
  const outer = of('gateway').tracer.start('request', { kind: 'server' });
  const inner = of('forecast').tracer.start('request', { kind: 'server', parent: outer.traceparent });
  inner.end({ name: 'POST /forecasts', attributes: { left: undefined }, error: 'HTTP 500' });
  outer.end();
  await close();
  const [gateway, forecast] = ['gateway', 'forecast'].map((name) => spans().find(({ service }) => service === name));
  expect(forecast).toMatchObject({
    traceId: gateway?.traceId,
    parentSpanId: gateway?.spanId,
    name: 'POST /forecasts',
    status: { code: 2, message: 'HTTP 500' },
  });
  expect(gateway?.parentSpanId ?? '').toBe('');
  expect(seen[0]).toEqual({ path: '/v1/traces', token: 't' });
});

test('how much is recorded is decided here, whatever the flags of a stranger say', async () => {
  const { endpoint, spans } = await startCollector();
  const { of, close } = await open({ endpoint, ratio: 0 });
  const span = of('gateway').tracer.start('request', { kind: 'server', parent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
  expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
  span.end();
  await close();
  expect(spans()).toEqual([]);
});

test('a collector that is away costs nothing but spans', async () => {
  const { endpoint } = await startCollector();
  collector?.closeAllConnections();
  await new Promise((resolve) => collector?.close(resolve));
  const { of, close } = await open({ endpoint, ratio: 1 });
  of('gateway').tracer.start('request', { kind: 'server' }).end();
  await expect(close()).resolves.toBeUndefined();
});

test('a collector that never responds does not hold up the end', async () => {
  const { endpoint } = await startCollector();
  collector?.removeAllListeners('request');
  const { of, close } = await open({ endpoint, ratio: 1 });
  of('gateway').tracer.start('request', { kind: 'server' }).end();
  const startedAt = performance.now();
  await close();
  expect(performance.now() - startedAt).toBeLessThan(4000);
});
