import { expect, test } from '@jest/globals';
import { metricCatalogue } from './metric-catalogue.ts';
import { createMetrics } from './metrics.ts';

/** Lines of samples, without comments. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('services share a metric and are distinguished by their name', async () => {
  const metrics = createMetrics('1.2.3');
  metrics.of('file').count('parcelway_outbox_published_total', {}, 2);
  metrics.of('forecast').count('parcelway_outbox_published_total', {});
  metrics.of('forecast').count('parcelway_outbox_published_total', {});
  const lines = await samples(metrics);
  expect(lines).toContain('parcelway_outbox_published_total{service_name="file"} 2');
  expect(lines).toContain('parcelway_outbox_published_total{service_name="forecast"} 2');
  expect(lines).toContain('parcelway_build_info{service_name="file",version="1.2.3"} 1');
});

test('a series of a gauge is removed, and no other one', async () => {
  const metrics = createMetrics('1');
  const view = metrics.of('tracking');
  view.remove('parcelway_source_calls_used', { connection: 'never there' });
  for (const connection of ['a', 'b']) view.set('parcelway_source_calls_used', { connection }, 1);
  metrics.of('other').set('parcelway_source_calls_used', { connection: 'a' }, 1);
  view.remove('parcelway_source_calls_used', { connection: 'a' });
  expect((await samples(metrics)).filter((line) => line.startsWith('parcelway_source_calls_used'))).toEqual([
    'parcelway_source_calls_used{service_name="tracking",connection="b"} 1',
    'parcelway_source_calls_used{service_name="other",connection="a"} 1',
  ]);
});

test('every metric of the catalogue is exposed with its help, and those of Node besides', async () => {
  const { text, contentType } = await createMetrics('1').expose();
  for (const { name, type, help } of metricCatalogue) {
    expect(text).toContain(`# TYPE ${name} ${type}\n`);
    expect(text).toContain(`# HELP ${name} ${help}\n`);
  }
  expect(text).toContain('process_cpu_seconds_total');
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});

test('every metric names its service and carries a unit or a count in its name', () => {
  for (const metric of metricCatalogue) {
    expect(metric.labels).toContain('service_name');
    if (metric.type === 'counter') expect(metric.name).toMatch(/_total$/);
    if (metric.type === 'histogram') expect(metric.name).toMatch(/_seconds$/);
  }
});
