import { expect, test } from '@jest/globals';
import { MOST_COPIED, type NamedFile, readFiles, tableOf } from './names-and-urls.ts';

const fileOf = (index: number): NamedFile => ({ origin_name: `${index}.pdf`, url: `https://x/files/${index}` });

/** Reads a list of so many files in pages of 100, and returns what was found, reported and asked for. */
async function outcome(count: number) {
  const reported: number[] = [];
  const asked: Array<string | undefined> = [];
  const readPage = async (cursor: string | undefined) => {
    asked.push(cursor);
    const begin = Number(cursor ?? 0);
    const end = Math.min(count, begin + 100);
    return { items: Array.from({ length: end - begin }, (_, index) => fileOf(begin + index)), next: end < count ? String(end) : null };
  };
  return { found: await readFiles(readPage, (read) => reported.push(read)), reported, asked };
}

test('all pages of a list are read, with the progress', async () => {
  const { found, reported, asked } = await outcome(250);
  expect([found.files.length, found.isCut]).toEqual([250, false]);
  expect(found.files.at(-1)).toEqual(fileOf(249));
  expect(reported).toEqual([100, 200, 250]);
  expect(asked).toEqual([undefined, '100', '200']);
});

test('a list that is too long is cut, and no page is read in vain', async () => {
  const all = await outcome(MOST_COPIED);
  expect([all.found.files.length, all.found.isCut]).toEqual([MOST_COPIED, false]);
  const more = await outcome(MOST_COPIED + 1);
  expect([more.found.files.length, more.found.isCut, more.asked.length]).toEqual([MOST_COPIED, true, MOST_COPIED / 100]);
});

test('the table has a row for each file, and no name breaks it', () => {
  expect(tableOf([fileOf(1), { origin_name: 'a\tb\n.pdf', url: 'https://x/files/2' }])).toBe(
    '1.pdf\thttps://x/files/1\na b .pdf\thttps://x/files/2',
  );
});
