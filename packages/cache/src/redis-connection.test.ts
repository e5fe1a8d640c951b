import { expect, test } from '@jest/globals';
import { CircuitBreaker } from './redis-connection.ts';

function open() {
  const logged: string[] = [];
  const time = { ms: 0 };
  const circuit = new CircuitBreaker({
    now: () => time.ms,
    pauseMs: 1000,
    onAway: (reason) => logged.push(`away: ${reason}`),
    onBack: (awayMs) => logged.push(`back after ${awayMs}`),
  });
  return { circuit, logged, time };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('probes after the pause only, one at a time, and after each that failed pauses again', async () => {
  const { circuit, logged, time } = open();
  let probes = 0;
  const failing = async () => {
    probes += 1;
    throw new Error('still away');
  };
  circuit.probe(failing);
  expect(probes).toBe(0);
  circuit.failed('down');
  time.ms = 999;
  circuit.probe(failing);
  expect(probes).toBe(0);
  time.ms = 1000;
  circuit.probe(failing);
  circuit.probe(failing);
  expect(probes).toBe(1);
  await settled();
  circuit.probe(failing);
  expect(probes).toBe(1);
  time.ms = 2000;
  circuit.probe(failing);
  expect(probes).toBe(2);
  await settled();
  expect(logged).toEqual(['away: down']);
});

test('a sign of life makes a probe at once', async () => {
  const { circuit, logged } = open();
  circuit.failed('down');
  circuit.probe(async () => 'OK', true);
  await settled();
  expect(logged).toEqual(['away: down', 'back after 0']);
});
