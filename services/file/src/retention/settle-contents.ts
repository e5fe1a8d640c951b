import type { Index } from '@parcelway/store/collection';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { contentsOf } from '../contents/content-records.ts';
import { type Content, contents } from '../contents/contents-collection.ts';
import { type Decision, forecastWrites, pdfAfter } from './decide-files.ts';
import { type ForecastFiles, forecastFiles, unknownForecast } from './forecast-files-collection.ts';

/** True when a forecast has a token in a list after a decision: the one of the decision, or another. */
async function has(store: Store, by: Index<ForecastFiles>, own: readonly string[], token: string, { after }: Decision): Promise<boolean> {
  if (own.includes(token)) return true;
  const { items } = await store.find(by, { eq: [after.tenantId, token], limit: 2 });
  return items.some(({ value }) => value.forecastNo !== after.forecastNo);
}

/** @param since when its last use ended, in case it has none */
async function settledPdf(store: Store, content: Content, decision: Decision, since: number): Promise<Partial<Content>> {
  const { after } = decision;
  const { token = '' } = content;
  const isNamed = await has(store, forecastFiles.by.named, after.named, token, decision);
  const isUsed = await has(store, forecastFiles.by.used, after.used, token, decision);
  const set = pdfAfter(content, isNamed, isUsed ? undefined : since);
  if (set.digestOf === undefined) return set;
  // When its content was uploaded again meanwhile, that upload stays the one that is found.
  const { items } = await store.find(contents.by.digest, { eq: [after.tenantId, set.digestOf], limit: 1 });
  return items.length > 0 ? { ...set, digestOf: undefined } : set;
}

/** The writes of contents that follow from a decision. Each is written, also when nothing changes: that of another forecast may rest on it as well. */
async function contentWrites(store: Store, before: ForecastFiles, decision: Decision, now: number): Promise<readonly Write[]> {
  const { after, files = [], images = [], leftImage = {} } = decision;
  const writes: Write[] = [];
  for (const content of await contentsOf(store, [...new Set([...files, ...images])])) {
    const { token = '', ownerId, stored, pdf, unusedSince } = content.value;
    if (ownerId !== after.tenantId) continue;
    let set: Partial<Content>;
    // The time counts anew when a use ends.
    if (pdf && files.includes(token))
      set = await settledPdf(store, content.value, decision, before.used.includes(token) ? now : (unusedSince ?? now));
    else if (stored === 'image' && images.includes(token))
      set = (await has(store, forecastFiles.by.images, after.images, token, decision)) ? { unusedSince: undefined } : leftImage;
    else continue;
    const isChanged = Object.entries(set).some(([field, value]) => content.value[field as keyof Content] !== value);
    writes.push(isChanged ? { in: contents, patch: content, set } : { in: contents, touch: content });
  }
  return writes;
}

/**
 * Changes what a forecast has, and the contents that follow, all or none.
 * @param decide has no effects: it may run several times
 * @throws AppError 50301
 */
export function changeFiles(
  store: Store,
  { tenantId, forecastNo }: Pick<ForecastFiles, 'tenantId' | 'forecastNo'>,
  now: number,
  decide: (before: ForecastFiles) => Decision | undefined,
): Promise<void> {
  return decideTogether(store, tenantId, async () => {
    const known = await store.get(forecastFiles, [tenantId, forecastNo]);
    const before = known?.value ?? unknownForecast(tenantId, forecastNo);
    const decision = decide(before);
    if (decision === undefined) return [];
    const writes = [...forecastWrites(known, before, decision.after), ...(await contentWrites(store, before, decision, now))];
    return writes.some((write) => !('touch' in write)) ? writes : [];
  });
}
