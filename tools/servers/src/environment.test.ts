import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { environmentOf, renderExports } from './environment.ts';

describe('environmentOf', () => {
  test('names one node of each server', () => {
    expect(environmentOf({ base: 27_000, cluster: false })).toMatchObject({
      MONGODB_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
      MONGODB_URL_PROXIED: 'mongodb://127.0.0.1:27117/?directConnection=true',
      KAFKA_BROKERS: '127.0.0.1:27092',
      KAFKA_BROKERS_PROXIED: '127.0.0.1:27192',
      REDIS_URL: 'redis://127.0.0.1:27079',
      S3_ENDPOINT_PROXIED: 'http://127.0.0.1:27190',
      PARCELWAY_SERVERS_MODE: 'single',
    });
  });

  test('names every member of a cluster', () => {
    expect(environmentOf({ base: 27_400, cluster: true })).toMatchObject({
      MONGODB_URL: 'mongodb://127.0.0.1:27417,127.0.0.1:27418,127.0.0.1:27419/?replicaSet=rs0',
      KAFKA_BROKERS: '127.0.0.1:27492,127.0.0.1:27493,127.0.0.1:27494',
      KAFKA_BROKERS_PROXIED: '127.0.0.1:27592,127.0.0.1:27593,127.0.0.1:27594',
      PARCELWAY_SERVERS_MODE: 'cluster',
      PARCELWAY_SERVERS_PORT_BASE: '27400',
    });
  });

  test('has every variable in the documentation', () => {
    const text = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
    const missing = Object.keys(environmentOf({ base: 27_000, cluster: false })).filter((name) => !text.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('renderExports', () => {
  test('gives a shell the values as they are', () => {
    const value = `a b'c"d$HOME&\`x\``;
    const script = `${renderExports({ FIRST: value, SECOND: 'mongodb://h/?a=1&b=2' })}printf '%s\\n%s' "$FIRST" "$SECOND"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${value}\nmongodb://h/?a=1&b=2`);
  });
});
