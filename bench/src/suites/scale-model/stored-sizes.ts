import type { StoredSize } from './inputs.ts';
import { numberIn, tableBelow } from './published-tables.ts';

const GIBIBYTE = 2 ** 30;
const MEBIBYTE = 2 ** 20;
const MEGABYTE = 1e6;

/** Shares of the services in what a parcel leaves on the disk, and of indexes in it, where only the sum was measured. */
const assumedShares = { forecast: 0.35, file: 0.1, 'warehouse-intake': 0.2, tracking: 0.1, webhook: 0.25 } as const;
const ASSUMED_INDEX_SHARE = 0.4;

/**
 * Sizes of a million parcels by service, from the sum that `capacity` measures.
 * @param mebibytesOf1000 of documents and indexes on one disk
 */
export function sizesOfSum(mebibytesOf1000: number): readonly StoredSize[] {
  const ofMillion = (mebibytesOf1000 * 1000 * MEBIBYTE) / GIBIBYTE;
  return Object.entries(assumedShares).map(([service, share]) => ({
    service,
    data: ofMillion * share * (1 - ASSUMED_INDEX_SHARE),
    indexes: ofMillion * share * ASSUMED_INDEX_SHARE,
  }));
}

/**
 * Sizes of a million parcels by service, from the page on growth: the table of distributed mode whose lines are `service/collection`.
 * @returns undefined when the page has no such table yet
 * @throws Error when it has no number where one belongs
 */
export function sizesOfGrowth(page: string): readonly StoredSize[] | undefined {
  const [, part = ''] = page.split('<!-- bench-distributed:begin -->');
  const heading = /^#{2,4} (Size of a million parcels, MB.*)$/m.exec(part)?.[1];
  if (heading === undefined) return undefined;
  const sizes = new Map<string, { data: number; indexes: number }>();
  for (const [name = '', data, indexes] of tableBelow(part, heading).lines) {
    const [service = '', collection] = name.split('/');
    if (collection === undefined) continue;
    const sum = sizes.get(service) ?? { data: 0, indexes: 0 };
    sum.data += (numberIn(data, `Data of ${name}`) * MEGABYTE) / GIBIBYTE;
    sum.indexes += (numberIn(indexes, `Indexes of ${name}`) * MEGABYTE) / GIBIBYTE;
    sizes.set(service, sum);
  }
  return [...sizes].map(([service, sum]) => ({ service, ...sum }));
}
