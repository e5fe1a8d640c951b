import { describe, expect, test } from '@jest/globals';
import { readAdminAddress, readTraces, version } from './telemetry-config.ts';

describe('where traces go', () => {
  test('is nowhere unless a collector is named', () => {
    expect(readTraces({})).toBeUndefined();
    expect(readTraces({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
  });

  test('is the collector, with its headers decoded', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, x-team = parcels',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(readTraces(env)).toEqual({
      endpoint: 'https://collector:4318',
      headers: { 'api-key': 'a=b', 'x-team': 'parcels' },
      ratio: 0.25,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%hunter2'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'hunter2'],
  ])('a wrong %s is named and not shown', (name, value) => {
    const read = () => readTraces({ [name]: value });
    expect(read).toThrow(name);
    expect(read).not.toThrow('hunter2');
  });
});

test('the admin server listens on loopback unless configured otherwise', () => {
  expect(readAdminAddress({})).toEqual({ host: '127.0.0.1', port: 0, allowedHosts: [] });
  expect(readAdminAddress({ ADMIN_HOST: '0.0.0.0', ADMIN_PORT: '8444', ADMIN_ALLOWED_HOSTS: 'a.internal, b' })).toEqual({
    host: '0.0.0.0',
    port: 8444,
    allowedHosts: ['a.internal', 'b'],
  });
  for (const wrong of ['a:8444', 'https://a', '*', 'a b']) {
    expect(() => readAdminAddress({ ADMIN_ALLOWED_HOSTS: wrong })).toThrow('ADMIN_ALLOWED_HOSTS must list host names without port');
  }
});

test('the version is that of the package', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});
