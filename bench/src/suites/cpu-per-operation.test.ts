import { describe, expect, test } from '@jest/globals';
import { cpuPerOperation } from './cpu-per-operation.ts';

describe('cpuPerOperation', () => {
  const usage = { operations: 100, cpuMicroseconds: 60_000, seconds: 2, idleMicrosecondsPerSecond: 5000 };

  test('takes off what the process uses when idle, for as long as the load lasted', () => {
    expect(cpuPerOperation(usage)).toBe(500);
    expect(cpuPerOperation({ ...usage, idleMicrosecondsPerSecond: 0 })).toBe(600);
    expect(cpuPerOperation({ ...usage, seconds: 4 })).toBe(400);
  });

  test('is never negative, and nothing without operations', () => {
    expect(cpuPerOperation({ ...usage, seconds: 20 })).toBe(0);
    expect(() => cpuPerOperation({ ...usage, operations: 0 })).toThrow(RangeError);
  });
});
