import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { environmentOf, renderExports } from './environment.ts';

describe('environmentOf', () => {
  test.each([
    [27_000, false, '27017', '27092', '27192'],
    [
      27_400,
      true,
      '27417,127.0.0.1:27418,127.0.0.1:27419',
      '27492,127.0.0.1:27493,127.0.0.1:27494',
      '27592,127.0.0.1:27593,127.0.0.1:27594',
    ],
  ])('names every member of a set from %i on, cluster: %s', (base, cluster, mongo, kafka, proxied) => {
    expect(environmentOf({ base, cluster })).toMatchObject({
      MONGODB_URL: `mongodb://127.0.0.1:${mongo}/?replicaSet=rs0`,
      MONGODB_URL_PROXIED: `mongodb://127.0.0.1:${base + 117}/?directConnection=true`,
      KAFKA_BROKERS: `127.0.0.1:${kafka}`,
      KAFKA_BROKERS_PROXIED: `127.0.0.1:${proxied}`,
      REDIS_URL: `redis://127.0.0.1:${base + 79}`,
      PARCELWAY_SERVERS_MODE: cluster ? 'cluster' : 'single',
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
