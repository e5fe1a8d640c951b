import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { type RecordingTelemetry, recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { type CarrierServer, startCarrier } from '../testing/carrier-server.ts';
import { shipmentOf, traceOf } from '../testing/samples.ts';
import { type OpenCarriers, openCarriers } from './carriers.ts';
import { readCarrierEndpoints } from './generic/carrier-endpoints.ts';
import { createSimulatedCarrier } from './simulated/simulated-carrier.ts';

/** Long for a carrier that responds at once on a slow machine; short where the end of the wait is waited for. */
const TIMEOUT_MS = 5000;
const SHORT_TIMEOUT_MS = 300;
const NUMBER = 'SECRET-NUMBER-1';
const shipment = shipmentOf({ carrierCode: 'DHL', trackingNumber: NUMBER });
const simulated = createSimulatedCarrier({ simulatedNodes: async () => [], addSimulatedNode: () => Promise.reject(new Error('not here')) });

let carrier: CarrierServer;
let carriers: OpenCarriers;
let telemetry: RecordingTelemetry;

const open = (environment: 'sandbox' | 'production', given: { resetMs?: number; timeoutMs?: number } = {}): OpenCarriers =>
  openCarriers({
    environment,
    endpoints: readCarrierEndpoints(JSON.stringify({ Dhl: { url: carrier.url, token: 'secret-token' } })),
    simulated,
    timeoutMs: TIMEOUT_MS,
    ...given,
    logger: silentLogger,
    telemetry: telemetry.of('tracking'),
  });
const impatient = async (): Promise<void> => {
  await carriers.close();
  carriers = open('production', { timeoutMs: SHORT_TIMEOUT_MS });
};
const ask = (traceparent?: string) => carriers.track(shipment, traceparent).catch(() => undefined);
const outcomes = () => telemetry.recorded('parcelway_carrier_request_duration_seconds').map(([labels]) => labels);
const circuit = () => telemetry.recorded('parcelway_carrier_circuit_open');

beforeEach(async () => {
  telemetry = recordingTelemetry();
  carrier = await startCarrier();
  carriers = open('production');
});
afterEach(async () => {
  await carriers.close();
  await carrier.close();
});

describe('a question to a carrier', () => {
  test('is a span of the trace that caused it, and has neither number nor token', async () => {
    await ask(traceOf(1));
    expect(telemetry.spans).toMatchObject([{ name: 'ask carrier', kind: 'client', parent: traceOf(1), error: undefined, ends: 1 }]);
    expect(telemetry.spans[0]?.attributes).toEqual({
      'parcelway.carrier': 'dhl',
      'server.address': '127.0.0.1',
      'parcelway.outcome': 'ok',
    });
    expect(carrier.requests[0]?.headers['traceparent']).toBeUndefined();
    carrier.respondWith((_req, res) => res.writeHead(500).end());
    await ask();
    expect(JSON.stringify([telemetry.spans, telemetry.metrics])).not.toMatch(/SECRET-NUMBER|secret-token/);
  });

  test.each<[string, string, Parameters<CarrierServer['respondWith']>[0]]>([
    ['nodes', 'ok', (_req, res) => res.end('{"nodes":[]}')],
    ['a number that it does not know', 'ok', (_req, res) => res.writeHead(404, { 'content-type': 'application/json' }).end('{}')],
    ['an error', 'failed', (_req, res) => res.writeHead(500).end()],
    ['nonsense', 'failed', (_req, res) => res.end('<html>')],
    ['a closed connection', 'failed', (req) => void req.socket.destroy()],
    ['silence', 'timeout', () => undefined],
    ['headers and then silence', 'timeout', (_req, res) => void res.writeHead(200).flushHeaders()],
  ])('that it responds with %s is %s', async (_what, outcome, handle) => {
    if (outcome === 'timeout') await impatient();
    carrier.respondWith(handle);
    await ask();
    expect(outcomes()).toEqual([{ carrier: 'dhl', outcome }]);
    expect(telemetry.spans).toMatchObject([
      { error: outcome === 'ok' ? undefined : outcome, attributes: { 'parcelway.outcome': outcome } },
    ]);
  });

  test('takes as long as it takes', async () => {
    await impatient();
    carrier.respondWith(() => undefined);
    await ask();
    const [[, seconds] = [{}, 0]] = telemetry.recorded('parcelway_carrier_request_duration_seconds');
    // Timers may be a little early by the other clock.
    expect(seconds).toBeGreaterThan((SHORT_TIMEOUT_MS - 20) / 1000);
    expect(seconds).toBeLessThan(10);
  });

  test('to one that is not configured counts nowhere, whatever its code', async () => {
    const unknown = shipmentOf({ carrierCode: 'whatever-a-warehouse-writes' });
    await carriers.track(unknown).catch(() => undefined);
    await carriers.close();
    carriers = open('sandbox');
    await carriers.track(unknown);
    expect(outcomes()).toEqual([]);
    expect(new Set(circuit().map(([{ carrier: code }]) => code))).toEqual(new Set(['dhl']));
  });
});

test('the circuit shows as closed from the beginning, open while it is open or probes, and closed again', async () => {
  await carriers.close();
  carriers = open('production', { resetMs: 100 });
  const states = () => circuit().map(([, value]) => value);
  expect(circuit().at(-1)).toEqual([{ carrier: 'dhl' }, 0]);
  const before = states().length;
  carrier.respondWith((_req, res) => res.writeHead(500).end());
  for (let i = 0; i < 20; i += 1) await ask();
  expect(new Set(states().slice(before))).toEqual(new Set([1]));
  expect(outcomes()).toContainEqual({ carrier: 'dhl', outcome: 'rejected' });
  const asked = carrier.requests.length;
  await until(
    async () => {
      await ask();
      return carrier.requests.length > asked;
    },
    { what: 'a probe' },
  );
  expect(states().slice(before)).not.toContain(0);
  carrier.respondWith((_req, res) => res.end('{"nodes":[]}'));
  await until(
    async () => {
      await ask();
      return outcomes().at(-1)?.['outcome'] === 'ok';
    },
    { what: 'the recovery' },
  );
  expect(states().at(-1)).toBe(0);
});
