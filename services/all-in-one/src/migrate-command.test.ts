import { describe, expect, test } from '@jest/globals';
import { runMigrateCommand } from './migrate-command.ts';

/** What was printed and asked for, in its order. */
async function run(...args: readonly string[]): Promise<readonly (string | object)[]> {
  const seen: (string | object)[] = [];
  await runMigrateCommand(
    args,
    (text) => seen.push(text),
    async (options) => void seen.push(options),
  );
  return seen;
}

describe('the migrate step', () => {
  test.each(['--help', '-h'])('%s lists the options, and migrates nothing', async (option) => {
    const seen = await run(option, '--partitions', '24');
    expect(seen).toHaveLength(1);
    expect(String(seen[0]).match(/^ {2}--\w+/gm)).toEqual(['  --sharded', '  --partitions', '  --help']);
  });

  test('migrates silently unless it adds partitions', async () => {
    expect([await run(), await run('--sharded')]).toEqual([[{ sharded: false }], [{ sharded: true }]]);
  });

  test('names the conditions of more partitions before, and what has to follow after', async () => {
    const [before, options, after] = await run('--partitions', '24');
    expect(options).toEqual({ sharded: false, partitions: 24 });
    expect(before).toMatch(/before this step.*OUTBOX_RELAY=off in every process of forecast, file, warehouse-intake and tracking/s);
    expect(after).toMatch(/remove OUTBOX_RELAY .*restart every process.*restart webhook/s);
  });

  test('says nothing of what follows when it fails', async () => {
    const printed: string[] = [];
    const failing = async (): Promise<void> => {
      throw new Error('Consumers are behind');
    };
    await expect(runMigrateCommand(['--partitions', '24'], (text) => printed.push(text), failing)).rejects.toThrow('Consumers are behind');
    expect(printed).toEqual([expect.stringContaining('before this step')]);
  });

  test.each([
    [['--partitions', 'many'], '--partitions must be a whole number'],
    [['--partitions', '-1'], '--partitions'],
    [['--partition', '24'], "Unknown option '--partition'"],
    [['24'], 'Unexpected argument'],
  ])('refuses %p', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
