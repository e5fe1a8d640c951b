import { describe, expect, test } from '@jest/globals';
import { ceilingOf, cpuPerOperation, holdingOf } from './replica-capacity.ts';

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

describe('ceilingOf', () => {
  test('is what a process did that waited while processors were free', () => {
    expect(ceilingOf({ perSecond: 300, processShare: 0.4, machineShare: 0.7 })).toBe(300);
  });

  test('is not known when the process or the machine ran out of processors', () => {
    expect(ceilingOf({ perSecond: 300, processShare: 0.95, machineShare: 0.6 })).toBeUndefined();
    expect(ceilingOf({ perSecond: 300, processShare: 0.4, machineShare: 0.97 })).toBeUndefined();
  });
});

describe('holdingOf', () => {
  test('is what fits into 70 % of a core beside what idling takes', () => {
    expect(holdingOf(700, 0)).toEqual({ perSecond: 1000, boundBy: 'cpu' });
    expect(holdingOf(500, 0.2).perSecond).toBeCloseTo(1000);
  });

  test('is the ceiling when that is lower', () => {
    expect(holdingOf(700, 0, 400)).toEqual({ perSecond: 400, boundBy: 'ceiling' });
    expect(holdingOf(700, 0, 4000)).toEqual({ perSecond: 1000, boundBy: 'cpu' });
  });

  test('does not make up a capacity of what was not measured', () => {
    expect(() => holdingOf(0, 0)).toThrow(RangeError);
    expect(() => holdingOf(500, 0.7)).toThrow(RangeError);
  });
});
