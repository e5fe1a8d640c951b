import { expect, test } from '@jest/globals';
import { traceIdOf } from '../trace-parent.ts';
import { recordingTelemetry } from './recording-telemetry.ts';

test('keeps metrics by service, with what they count by when that is not said', () => {
  const telemetry = recordingTelemetry();
  telemetry.of('file').metrics.count('parcelway_outbox_published_total', {});
  telemetry.of('webhook').metrics.set('parcelway_webhook_circuits', { state: 'open' }, 3);
  telemetry.of('webhook').metrics.remove('parcelway_webhook_circuits', { state: 'open' });
  expect(telemetry.metrics).toEqual([
    { service: 'file', call: 'count', name: 'parcelway_outbox_published_total', labels: {}, value: 1 },
    { service: 'webhook', call: 'set', name: 'parcelway_webhook_circuits', labels: { state: 'open' }, value: 3 },
    { service: 'webhook', call: 'remove', name: 'parcelway_webhook_circuits', labels: { state: 'open' }, value: Number.NaN },
  ]);
  expect(telemetry.recorded('parcelway_webhook_circuits')).toEqual([
    [{ state: 'open' }, 3],
    [{ state: 'open' }, Number.NaN],
  ]);
});

test('keeps spans as a tree, each with what was known at its end', () => {
  const telemetry = recordingTelemetry();
  const { tracer } = telemetry.of('tracking');
  const outer = tracer.start('poll', { kind: 'internal', attributes: { tries: 1 } });
  const inner = tracer.start('ask', { kind: 'client', parent: outer.traceparent });
  inner.end({ error: 'timeout' });
  outer.end({ name: 'poll shipment', attributes: { outcome: 'ok' } });
  expect(telemetry.spans).toMatchObject([
    { name: 'poll shipment', parent: undefined, attributes: { tries: 1, outcome: 'ok' }, error: undefined, ends: 1 },
    { name: 'ask', kind: 'client', parent: outer.traceparent, error: 'timeout', ends: 1 },
  ]);
  expect(traceIdOf(inner.traceparent)).toBe(traceIdOf(outer.traceparent));
  expect(inner.traceparent).not.toBe(outer.traceparent);
});

test('reads on request, until the reading is ended', async () => {
  const telemetry = recordingTelemetry();
  let reads = 0;
  const read = async (): Promise<void> => {
    reads += 1;
  };
  const end = telemetry.readWhenExposed('file', 'one', read);
  telemetry.readWhenExposed('file', 'the same again', read);
  await telemetry.readAll();
  end();
  await telemetry.readAll();
  expect(reads).toBe(3);
});
