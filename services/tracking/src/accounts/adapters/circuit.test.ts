import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { type RecordingTelemetry, recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { traceOf } from '../../testing/samples.ts';
import { Circuit, carrierUnavailable } from './circuit.ts';

test.each([
  ['a carrier that is left alone for less than a second', 200, 1],
  ['a carrier that is left alone for no whole number of seconds', 1001, 2],
])('after %s, a retry is worthwhile in whole seconds', (_what, retryAfterMs, seconds) => {
  expect(carrierUnavailable(retryAfterMs)).toMatchObject({ code: '50001', httpStatus: 503, data: null, retryAfterSeconds: seconds });
});

const TIMEOUT_MS = 100;
const RESET_MS = 200;

let telemetry: RecordingTelemetry;
let circuit: Circuit;
/** Calls that reached the other side. */
let calls: number;

beforeEach(() => {
  calls = 0;
  telemetry = recordingTelemetry();
  const isHarmless = (error: unknown): boolean => error instanceof AppError && error.code === '42901';
  circuit = new Circuit({
    name: 'dhl',
    url: 'https://dhl.example/secret-path?key=secret',
    timeoutMs: TIMEOUT_MS,
    resetMs: RESET_MS,
    isHarmless,
    logger: silentLogger,
    telemetry: telemetry.of('tracking'),
  });
});
afterEach(() => circuit.close());

const run = (outcome: Error | 'well' | 'hangs', traceparent?: string): Promise<unknown> =>
  circuit.run(() => {
    calls += 1;
    if (outcome === 'hangs') return new Promise(() => undefined);
    return outcome === 'well' ? Promise.resolve('well') : Promise.reject(outcome);
  }, traceparent);
const failed = (outcome: Error | 'hangs' = new Error('out')): Promise<unknown> => run(outcome).catch((error: unknown) => error);
const outcomes = () => telemetry.recorded('parcelway_carrier_request_duration_seconds').map(([{ outcome }]) => outcome);
const states = () => telemetry.recorded('parcelway_carrier_circuit_open').map(([, value]) => value);
const recovered = () =>
  until(
    () =>
      run('well').then(
        () => true,
        () => false,
      ),
    { what: 'the recovery' },
  );

describe('a call', () => {
  test('is a span of the trace that caused it, with the host and nothing else of the address', async () => {
    expect(await run('well', traceOf(1))).toBe('well');
    expect(telemetry.spans).toMatchObject([{ name: 'ask carrier', kind: 'client', parent: traceOf(1), error: undefined, ends: 1 }]);
    const attributes = { 'parcelway.carrier': 'dhl', 'server.address': 'dhl.example', 'parcelway.outcome': 'ok' };
    expect(telemetry.spans[0]?.attributes).toEqual(attributes);
    await failed();
    expect(JSON.stringify([telemetry.spans, telemetry.metrics])).not.toContain('secret');
  });

  test('that fails is 50001 with its cause, after a while that is worth it', async () => {
    const cause = new Error('out');
    expect(await failed(cause)).toMatchObject({ code: '50001', cause, retryAfterSeconds: 1 });
    expect(telemetry.spans).toMatchObject([{ error: 'failed', attributes: { 'parcelway.outcome': 'failed' } }]);
  });

  test('that does not come to an end is left at its deadline', async () => {
    expect(await failed('hangs')).toMatchObject({ code: '50001' });
    expect(outcomes()).toEqual(['timeout']);
    const [[, seconds] = [{}, 0]] = telemetry.recorded('parcelway_carrier_request_duration_seconds');
    // Timers may be a little early by the other clock.
    expect(seconds).toBeGreaterThan((TIMEOUT_MS - 20) / 1000);
  });
});

describe('the other side', () => {
  test('is left alone while it fails, is probed by one call, and comes back', async () => {
    expect(states()).toEqual([0]);
    for (let call = 0; call < 20; call += 1) await failed();
    expect([calls, states().at(-1), outcomes().at(-1)]).toEqual([5, 1, 'rejected']);
    expect(() => circuit.assertClosed()).toThrow(AppError);
    await until(
      async () => {
        await Promise.all([failed(), failed(), failed()]);
        return calls > 5;
      },
      { what: 'a probe' },
    );
    expect([calls, states().includes(0, 1)]).toEqual([6, false]);
    await recovered();
    expect(states().at(-1)).toBe(0);
    circuit.assertClosed();
  });

  test('is left alone as soon when it fails again, however many asked for it while it was left alone', async () => {
    for (let call = 0; call < 200; call += 1) await failed();
    await recovered();
    const before = calls;
    for (let call = 0; call < 20; call += 1) await failed();
    expect(calls - before).toBeLessThan(10);
  });

  test('is not left alone for errors that say nothing against it', async () => {
    for (let call = 0; call < 20; call += 1) await failed(new AppError('42901'));
    expect([calls, states()]).toEqual([20, [0]]);
  });
});
