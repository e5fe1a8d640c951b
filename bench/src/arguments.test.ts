import { describe, expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

const names = ['start', 'memory', 'gateway'];

describe('readArguments', () => {
  test('without arguments everything is measured at full length', () => {
    expect(readArguments([], names)).toMatchObject({ only: names, json: false, write: undefined, scale: { quick: false } });
  });

  test('--only keeps the order of the report', () => {
    expect(readArguments(['--only', 'gateway, start', '--quick', '--json'], names)).toMatchObject({
      only: ['start', 'gateway'],
      json: true,
      scale: { quick: true, cycles: 1 },
    });
  });

  test('what does not exist is refused by name', () => {
    expect(() => readArguments(['--only', 'start,sped'], names)).toThrow('There is no sped; there are start, memory, gateway');
    expect(() => readArguments(['--fast'], names)).toThrow('--fast');
  });
});
