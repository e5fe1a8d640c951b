import { describe, expect, test } from '@jest/globals';
import type { ListPosition } from '@parcelway/kernel/list-position';
import { type Page, type PageRequest, readPage } from './read-page.ts';

interface Line {
  readonly at: number;
}

/** Lines of the instants `count` down to 1, and how many of them were looked at. */
function logOf(count: number) {
  const lines = Array.from({ length: count }, (_, index): Line => ({ at: count - index }));
  const state = { lookedAt: 0 };
  const list = async (limit: number, after: ListPosition | undefined) => {
    const found = lines.filter(({ at }) => after === undefined || at < after.createdAt).slice(0, limit);
    state.lookedAt += found.length;
    return found;
  };
  const read = (limit: number, matches?: PageRequest<Line>['matches'], after?: ListPosition) =>
    readPage(list, { matches, positionOf: ({ at }) => ({ createdAt: at, id: String(at) }), limit, after });
  return { read, state };
}

describe('a page of a list', () => {
  test.each([0, 1, 99, 100, 101, 499, 500, 501, 1000])(
    'finds each of %i records once, page by page, with and without a filter',
    async (count) => {
      for (const matches of [undefined, () => true]) {
        const { read } = logOf(count);
        const found: number[] = [];
        let page: Page<Line> | undefined;
        do {
          page = await read(100, matches, page?.next ?? undefined);
          found.push(...page.records.map(({ at }) => at));
        } while (page.next !== null && found.length <= count);
        expect(found).toEqual(Array.from({ length: count }, (_, index) => count - index));
      }
    },
  );

  test('has those that match alone', async () => {
    const { records, next } = await logOf(10).read(3, ({ at }) => at % 2 === 1);
    expect(records.map(({ at }) => at)).toEqual([9, 7, 5]);
    expect(next).toEqual({ createdAt: 5, id: '5' });
  });

  test('reads no more than it has, and one, without a filter', async () => {
    const { read, state } = logOf(1000);
    await read(20);
    expect(state.lookedAt).toBe(21);
  });

  test('looks at no more than 2000 records in vain, and says where to go on', async () => {
    const { read, state } = logOf(5000);
    const { records, next } = await read(20, () => false);
    expect([records, state.lookedAt, next?.createdAt]).toEqual([[], 2000, 3001]);
  });
});
