import type { AskedParcel, ClientOptions } from './source.ts';
import { callSource, type SourceCall, type SourceResponse } from './source-http.ts';

/** Calls a vendor; see source-http callSource. */
export type CountedCall = (call: SourceCall) => Promise<SourceResponse>;

/**
 * The calls of one run of a method of a client. The first is counted already; each further one waits for its turn ({@link ClientOptions.nextCall}), so
 * that the limits of the connection stay exact. Calls for a token do not count and do not go through this.
 */
export function countedCalls({ dispatcher, nextCall }: Pick<ClientOptions, 'dispatcher' | 'nextCall'>): CountedCall {
  let isFirst = true;
  return async (call) => {
    const isCounted = isFirst;
    isFirst = false;
    if (!isCounted) await nextCall?.();
    return callSource(dispatcher, call);
  };
}

/** Makes calls that are each about one parcel, one after another. @returns in the order of the parcels */
export async function oneByOne<T>(parcels: readonly AskedParcel[], ask: (parcel: AskedParcel) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const parcel of parcels) results.push(await ask(parcel));
  return results;
}
