import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_PORT_BASE, portBaseOf, portsOf } from './ports.ts';

/** Every port number in the table, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Object.values(value as object).flatMap(numbersIn);
}

describe('ports', () => {
  test('are all different and within 200 of the base, so that bases 200 apart never meet', () => {
    const ports = numbersIn(portsOf(30_000, true));
    expect(ports).toHaveLength(3 * 2 + 1 + 2 + 2 + 3 * 4);
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...ports)).toBeLessThan(30_200);
  });

  test('of a single set are those of the first nodes of a cluster', () => {
    const single = portsOf(DEFAULT_PORT_BASE, false);
    const cluster = portsOf(DEFAULT_PORT_BASE, true);
    expect([single.mongo.length, single.kafka.length]).toEqual([1, 1]);
    expect(single.mongo[0]).toEqual(cluster.mongo[0]);
    expect(single.kafka[0]).toEqual(cluster.kafka[0]);
  });

  test('begin where the documentation says', () => {
    const text = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
    expect(text).toContain(`200 ports from \`PARCELWAY_SERVERS_PORT_BASE\` (${DEFAULT_PORT_BASE})`);
  });
});

describe('portBaseOf', () => {
  test('reads a number, and has a default', () => {
    expect(portBaseOf('27400')).toBe(27_400);
    expect(portBaseOf(undefined)).toBe(DEFAULT_PORT_BASE);
    expect(portBaseOf('')).toBe(DEFAULT_PORT_BASE);
  });

  test.each(['abc', '80', '65400', '27000.5', '-1'])('refuses %s', (text) => {
    expect(() => portBaseOf(text)).toThrow('PARCELWAY_SERVERS_PORT_BASE must be a whole number from 1024 to 65336');
  });
});
