import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { beginErasure, finished, viewErasure } from '../../../services/gateway/src/tenants/domain/erasure.ts';

/* The guide for operators names everything that the report of an erasure does. */

const guide = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8');

/** First cells of the table of what remains, without marks and in lower case, up to the first comma, colon or bracket. */
function remainsInGuide(): readonly string[] {
  const table = /\n\| Remains \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(guide)?.[1] ?? '';
  const cells = table.split('\n').map((line) => line.split('|')[1]?.trim() ?? '');
  return cells.map((cell) => (cell.split(/[,:(]/)[0] as string).replaceAll('`', '').trim().toLowerCase());
}

test('the table of what remains after an erasure has every row of the report', () => {
  const { remains } = viewErasure(finished(beginErasure('tnt_a', 0), 2, 0), 0);
  const reported = remains.map(({ what }) => what.replace(/^\d+ /, ''));
  expect(reported.length).toBeGreaterThan(9);
  expect(reported.filter((what) => !remainsInGuide().includes(what))).toEqual([]);
});
