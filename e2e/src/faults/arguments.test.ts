import { describe, expect, test } from '@jest/globals';
import { readArguments, USAGE } from './arguments.ts';

describe('the command line of test:faults', () => {
  test('means every row without options', () => {
    expect(readArguments([])).toEqual({
      help: false,
      texts: undefined,
      soakSeconds: 300,
      kills: 3,
      json: false,
      keep: false,
    });
  });

  test('takes the texts of --only in any case', () => {
    expect(readArguments(['--only', 'Kafka, kill points']).texts).toEqual(['kafka', 'kill points']);
  });

  test.each([
    [['--soak', '0'], '--soak must be a whole number from 1 to 604800, not "0"'],
    [['--only', 'kafka,'], '--only needs texts between its commas, not "kafka,"'],
    [['--only', ''], '--only needs texts between its commas, not ""'],
    [['--kills', 'many'], '--kills must be a whole number from 1 to 1000, not "many"'],
    [['--kepe'], "Unknown option '--kepe'"],
  ])('refuses %p', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });

  test('is named option by option in the help', () => {
    const options = Object.keys(readArguments([])).filter((name) => name !== 'help');
    const named = { texts: 'only', soakSeconds: 'soak' } as Readonly<Record<string, string>>;
    for (const option of options) expect(USAGE).toContain(`  --${named[option] ?? option} `);
  });
});
