import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Store } from '@parcelway/store/store';
import { sampleCall } from '../testing/sample-call.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { type FailedCallRecord, failedCalls } from './failed-call-collection.ts';
import { type Page, readPage } from './read-page.ts';

const COUNTS = [0, 1, 99, 100, 101, 499, 500, 501, 5000];
const call = (tenantId: string, at: number) => sampleCall({ callId: `call_${tenantId}_${at}`, tenantId, at });

describe('a page of a list', () => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = setUpStores().options);
    // Those of the instants `count` down to 1.
    for (const count of COUNTS)
      await store.apply(Array.from({ length: count }, (_, index) => ({ in: failedCalls, insert: call(`${count}`, index + 1) })));
  });
  const read = (count: number, limit: number, matches?: (call: FailedCallRecord) => boolean, after?: string) =>
    readPage(store, failedCalls.by.tenant, { eq: [`${count}`], limit, after }, matches);
  const instants = ({ records }: Page<FailedCallRecord>): number[] => records.map(({ at }) => at);

  test.each(COUNTS.slice(0, -1))('finds each of %i records once, page by page, with and without a filter', async (count) => {
    for (const matches of [undefined, () => true]) {
      const found: number[] = [];
      let page: Page<FailedCallRecord> | undefined;
      do {
        page = await read(count, 100, matches, page?.next ?? undefined);
        found.push(...instants(page));
      } while (page.next !== null && found.length <= count);
      expect(found).toEqual(Array.from({ length: count }, (_, index) => count - index));
    }
  });

  test('has those that match alone', async () => {
    const isOdd = ({ at }: FailedCallRecord): boolean => at % 2 === 1;
    const page = await read(99, 3, isOdd);
    expect(instants(page)).toEqual([99, 97, 95]);
    expect(instants(await read(99, 3, isOdd, page.next ?? undefined))).toEqual([93, 91, 89]);
  });

  test('looks at no more than 2000 records in vain, and says where to go on', async () => {
    const page = await read(5000, 20, () => false);
    expect(page.records).toEqual([]);
    expect(instants(await read(5000, 1, undefined, page.next ?? undefined))).toEqual([3000]);
  });
});
