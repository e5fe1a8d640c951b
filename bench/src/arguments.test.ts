import { describe, expect, test } from '@jest/globals';
import { readArguments, usage } from './arguments.ts';

const embedded = ['start', 'memory', 'gateway'];
const names = {
  embedded,
  distributed: ['start', 'replicas', 'memory', 'capacity'],
  namedOnly: { embedded: [], distributed: ['memory', 'capacity'] },
};

describe('readArguments', () => {
  test('without arguments everything of embedded mode is measured at full length', () => {
    expect(readArguments([], names)).toMatchObject({
      mode: 'embedded',
      only: embedded,
      json: false,
      write: undefined,
      scale: { quick: false },
    });
  });

  test('--only keeps the order of the report', () => {
    expect(readArguments(['--only', 'gateway, start', '--quick', '--json'], names)).toMatchObject({
      only: ['start', 'gateway'],
      json: true,
      scale: { quick: true, cycles: 1 },
    });
  });

  test('each mode has suites of its own', () => {
    expect(readArguments(['--mode', 'distributed'], names)).toMatchObject({ mode: 'distributed', only: ['start', 'replicas'] });
    expect(() => readArguments(['--mode', 'distributed', '--only', 'gateway'], names)).toThrow('There is no gateway');
    expect(() => readArguments(['--only', 'replicas'], names)).toThrow('There is no replicas');
  });

  test('what runs only when it is named may run always in the other mode', () => {
    expect(readArguments(['--mode', 'distributed', '--only', 'capacity,memory'], names).only).toEqual(['memory', 'capacity']);
    expect(usage(names)).toContain('embedded:    start, memory, gateway\n');
    expect(usage(names)).toContain('distributed: start, replicas, (memory), (capacity)\n');
  });

  test('what does not exist is refused by name', () => {
    expect(() => readArguments(['--only', 'start,sped'], names)).toThrow('There is no sped; there are start, memory, gateway');
    expect(() => readArguments(['--fast'], names)).toThrow('--fast');
    expect(() => readArguments(['--mode', 'both'], names)).toThrow('There is no mode both');
  });
});
