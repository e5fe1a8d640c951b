import { describe, expect, test } from '@jest/globals';
import MiniSearch from 'minisearch';
import { findParts, type IndexedPart, searchOptions, wordsIn } from './search-options.ts';

describe('the words of a text', () => {
  test.each([
    ['Submit a forecast', ['submit', 'a', 'forecast']],
    ['`po_number`, 40901', ['po_number', 'po', 'number', '40901']],
    ['称重查询', ['称重', '重查', '查询']],
    ['查 API参考', ['查', 'api', '参考']],
    ['', []],
  ])('%s', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});

const index = new MiniSearch<IndexedPart>(searchOptions);
index.addAll([
  {
    id: 'docs/a',
    title: 'Weighing query',
    heading: 'Weighing query',
    zh: '称重查询',
    text: 'Size and weight of a parcel; 42205',
    code: 'verify_webhook WebhookVerificationError',
  },
  {
    id: 'docs/b',
    title: 'Rate limits',
    heading: 'Rate limits',
    zh: '限流',
    text: 'Each key has a token bucket; weight is no matter; 42201',
    code: '',
  },
]);
const found = (query: string): string[] => findParts(index, query, 5).map(({ id }) => String(id));

describe('a search', () => {
  test.each([
    ['weighing', ['docs/a']],
    ['weihging', ['docs/a']],
    ['weigh', ['docs/a', 'docs/b']],
    ['称重', ['docs/a']],
    ['限', ['docs/b']],
    ['WebhookVerificationError', ['docs/a']],
    ['42205', ['docs/a']],
    ['42206', []],
    ['bucket nonsense', ['docs/b']],
    ['nonsense', []],
  ])('for %s', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });
});
