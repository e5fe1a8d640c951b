import { expect, test } from '@jest/globals';
import { addUp, CpuMeter, usageBetween } from './usage.ts';

test('usageBetween subtracts part by part; a part that is new counts whole', () => {
  const before = { cpuMicroseconds: { service: 10 }, operations: { commits: 5 } };
  const after = { cpuMicroseconds: { service: 30, servers: 7 }, operations: { commits: 9 } };
  expect(usageBetween(before, after)).toEqual({ cpuMicroseconds: { service: 20, servers: 7 }, operations: { commits: 4 } });
});

test('addUp adds part by part', () => {
  expect(addUp({ a: 1, b: 2 }, { b: 3, c: 4 })).toEqual({ a: 1, b: 5, c: 4 });
});

test('CpuMeter counts what a process uses, and keeps what it had used once it has ended', () => {
  const meter = new CpuMeter();
  const first = meter.read([process.pid]);
  const until = performance.now() + 100;
  let work = 0;
  while (performance.now() < until) work += 1;
  const second = meter.read([process.pid]);
  expect(work).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first);
  // No process has this number: pids end at 4,194,304 (proc(5), pid_max).
  expect(meter.read([5_000_000])).toBe(second);
});
