import { describe, expect, test } from '@jest/globals';
import type { ListPosition } from '@parcelway/kernel/list-position';
import { type LogPage, readLog } from './read-log.ts';

interface Line {
  readonly at: number;
  readonly isOdd: boolean;
}

/** Lines of the instants `count` down to 1. */
function logOf(count: number) {
  const lines = Array.from({ length: count }, (_, index): Line => ({ at: count - index, isOdd: (count - index) % 2 === 1 }));
  let lookedAt = 0;
  return {
    lookedAt: () => lookedAt,
    async list(_tenantId: string | undefined, _range: object, limit: number, after: ListPosition | undefined) {
      const found = lines.filter(({ at }) => after === undefined || at < after.createdAt).slice(0, limit);
      lookedAt += found.length;
      return found;
    },
  };
}

const asking = (matches: ((line: Line) => boolean) | undefined, limit: number, after?: ListPosition) => ({
  tenantId: 'tnt_1',
  range: {},
  matches,
  positionOf: ({ at }: Line): ListPosition => ({ createdAt: at, id: String(at) }),
  limit,
  after,
});

describe('a page of a log', () => {
  const counts = [0, 1, 99, 100, 101, 499, 500, 501, 1000];
  test.each([...counts.map((count) => [count, undefined] as const), ...counts.map((count) => [count, () => true] as const)])(
    'finds each of %i lines once, page by page, filtered by %p',
    async (count, matches) => {
      const log = logOf(count);
      const found: number[] = [];
      let page: LogPage<Line> | undefined;
      do {
        page = await readLog(log, asking(matches, 100, page?.next ?? undefined));
        found.push(...page.records.map(({ at }) => at));
      } while (page.next !== null && found.length <= count);
      expect(found).toEqual(Array.from({ length: count }, (_, index) => count - index));
    },
  );

  test('has those that match alone', async () => {
    const { records, next } = await readLog(
      logOf(10),
      asking(({ isOdd }) => isOdd, 3),
    );
    expect(records.map(({ at }) => at)).toEqual([9, 7, 5]);
    expect(next).toEqual({ createdAt: 5, id: '5' });
  });

  test('reads no more than it has, and one, without a filter', async () => {
    const log = logOf(1000);
    await readLog(log, asking(undefined, 20));
    expect(log.lookedAt()).toBe(21);
  });

  test('looks at no more than 2000 lines in vain, and says where to go on', async () => {
    const log = logOf(5000);
    const { records, next } = await readLog(
      log,
      asking(() => false, 20),
    );
    expect([records, log.lookedAt(), next?.createdAt]).toEqual([[], 2000, 3001]);
  });
});
