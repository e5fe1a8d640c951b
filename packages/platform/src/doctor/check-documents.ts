import { setImmediate as breathe } from 'node:timers/promises';
import type { Collection } from '@parcelway/store/collection';
import type { Sampled, SampleOptions } from '@parcelway/store/sample';
import type { ServiceStore } from '../service.ts';
import { count, listSome } from './amounts.ts';
import { type Report, reasonOf } from './check.ts';

/** Documents at either end of a collection. */
const AT_EACH_END = 100;
const ALL_MS = 10_000;

/** Reads documents of a collection of a service. */
export type SampleOf = (service: string, collection: Collection, options: SampleOptions) => Iterable<Sampled> | AsyncIterable<Sampled>;

/** What is wrong with a document: a sentence that begins with the field. */
function problemOf({ validator }: Collection, document: Sampled): string | undefined {
  try {
    return validator.errors(document.read())[0]?.message;
  } catch (error) {
    return `cannot be read (${reasonOf(error)})`;
  }
}

/** Looks at documents of a service until an instant. @returns what is wrong with each of them, if anything */
async function look(
  { name, collections }: ServiceStore,
  sampleOf: SampleOf,
  until: number,
): Promise<ReadonlyMap<string, string | undefined>> {
  const problems = new Map<string, string | undefined>();
  for (const [collection, newest] of collections.flatMap((one) => [[one, true] as const, [one, false] as const])) {
    for await (const document of sampleOf(name, collection, { limit: AT_EACH_END, newest })) {
      if (performance.now() > until) return problems;
      problems.set(`${collection.name} ${document.key}`, problemOf(collection, document));
      await breathe();
    }
  }
  return problems;
}

/** Checks the newest and the oldest documents of every declared collection against its schema, for a limited time. */
export async function checkDocuments(report: Report, stores: readonly ServiceStore[], sampleOf: SampleOf): Promise<void> {
  const until = performance.now() + ALL_MS;
  for (const store of stores) {
    const check = `documents ${store.name}`;
    const problems = await look(store, sampleOf, until);
    const wrong = [...problems].flatMap(([document, problem]) => (problem === undefined ? [] : `${document}: ${problem}`));
    const checked = `${count(problems.size, 'document')} checked`;
    if (wrong.length > 0) report.wrong(check, listSome(wrong), 'Find out what wrote these fields, and correct them.');
    else if (performance.now() < until) report.ok(check, checked);
    else report.warning(check, `${checked}; the time limit left no time for the rest`, 'Run this again at a quiet time.');
  }
}
