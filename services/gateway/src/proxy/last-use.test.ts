import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { LastUse } from './last-use.ts';

/** A store that keeps what it is given, or fails. */
function store() {
  const written: [string, number][][] = [];
  const state = { fails: false };
  const recordUse = async (uses: ReadonlyMap<string, number>): Promise<void> => {
    if (state.fails) throw new Error('the store is out');
    written.push([...uses]);
  };
  return { written, state, recordUse };
}

describe('the last use of keys', () => {
  test('is written once for all uses since the last time, the latest of each key', async () => {
    const { written, recordUse } = store();
    const uses = new LastUse(recordUse, silentLogger);
    uses.note('key_1', 1);
    uses.note('key_2', 2);
    uses.note('key_1', 3);
    await uses.flush();
    await uses.flush();
    expect(written).toEqual([
      [
        ['key_1', 3],
        ['key_2', 2],
      ],
    ]);
  });

  test('is lost when the store fails; later uses are not', async () => {
    const { written, state, recordUse } = store();
    const uses = new LastUse(recordUse, silentLogger);
    uses.note('key_1', 1);
    state.fails = true;
    await uses.flush();
    state.fails = false;
    uses.note('key_1', 2);
    await uses.flush();
    expect(written).toEqual([[['key_1', 2]]]);
  });

  test('is noted for 50,000 keys at most, and updated for those', async () => {
    const { written, recordUse } = store();
    const uses = new LastUse(recordUse, silentLogger);
    for (let key = 0; key < 50_001; key += 1) uses.note(`key_${key}`, 1);
    uses.note('key_0', 2);
    await uses.flush();
    expect(written[0]).toHaveLength(50_000);
    expect(written[0]?.[0]).toEqual(['key_0', 2]);
  });
});
