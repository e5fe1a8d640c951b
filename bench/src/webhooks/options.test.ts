import { describe, expect, test } from '@jest/globals';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  test('without arguments every shape is measured three times, embedded and without a peer', () => {
    expect(readOptions([])).toEqual({
      shapes: ['A', 'B', 'C', 'D', 'E'],
      seconds: 20,
      cycles: 3,
      mode: 'embedded',
      peer: false,
      install: false,
      json: false,
      write: undefined,
      help: false,
    });
  });

  test('the options of a short run', () => {
    const args = ['--shape', 'c, a', '--seconds', '30', '--cycles', '1', '--mode', 'distributed', '--peer', 'outpost', '--json'];
    expect(readOptions(args)).toMatchObject({
      shapes: ['A', 'C'],
      seconds: 30,
      cycles: 1,
      mode: 'distributed',
      peer: true,
      json: true,
    });
  });

  test.each([
    [['--shape', 'A,X'], '--shape takes A, B, C, D, E or all; there is no X'],
    [['--seconds', '0'], '--seconds takes an integer from 1 to 600, not 0'],
    [['--seconds', '1.5'], '--seconds takes an integer from 1 to 600, not 1.5'],
    [['--cycles', '26'], '--cycles takes an integer from 1 to 25, not 26'],
    [['--rate', '300'], '--rate'],
    [['--mode', 'both'], '--mode takes embedded or distributed, not both'],
    [['--peer', 'svix'], '--peer takes outpost or none, not svix'],
    [['--fast'], '--fast'],
  ])('%j is refused by name', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
