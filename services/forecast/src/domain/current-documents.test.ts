import { expect, test } from '@jest/globals';
import { withDocuments } from './current-documents.ts';
import { type GeneratedDocuments, initialProgress } from './forecast.ts';

const documents = (version: number, url = `of version ${version}`): GeneratedDocuments => ({
  version,
  marketplaceLabel: `label ${url}`,
  packingSlip: `slip ${url}`,
});
const start = initialProgress(0);

test('the first documents hold, whatever their version', () => {
  expect(withDocuments(start, documents(1))).toEqual({ ...start, documents: documents(1) });
  expect(withDocuments(start, documents(3))).toEqual({ ...start, documents: documents(3) });
});

test('documents of a newer version replace those of an older one, also when versions between them are missing', () => {
  const first = withDocuments(start, documents(1));
  expect(withDocuments(first, documents(2)).documents).toEqual(documents(2));
  expect(withDocuments(first, documents(5)).documents).toEqual(documents(5));
});

test('documents that come late or twice change nothing', () => {
  const third = withDocuments(start, documents(3));
  for (const other of [documents(1), documents(2), documents(3), documents(3, 'of another')])
    expect(withDocuments(third, other)).toBe(third);
});

test('whichever order they come in, those of the newest version hold', () => {
  for (const order of [
    [1, 2, 3],
    [3, 1, 2],
    [2, 3, 1],
    [3, 3, 2],
  ]) {
    expect(order.map((version) => documents(version)).reduce(withDocuments, start).documents).toEqual(documents(3));
  }
});
