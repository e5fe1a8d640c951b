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
  // By the CPU and not by the clock: a process that stands still uses none.
  const before = process.cpuUsage();
  let used = 0;
  while (used < 100_000) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  const second = meter.read([process.pid]);
  expect(second).toBeGreaterThan(first);
  // No process has this number: pids end at 4,194,304 (proc(5), pid_max).
  expect(meter.read([5_000_000])).toBe(second);
});
