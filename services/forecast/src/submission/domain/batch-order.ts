import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';

/** What an unchecked forecast of a batch shares with others, if they have it too: its po_number and its logistics numbers. */
function sharedNames(forecast: unknown): readonly string[] {
  const { po_number: poNumber, items } = (forecast ?? {}) as { readonly po_number?: unknown; readonly items?: unknown };
  const names = new Set<string>();
  if (typeof poNumber === 'string') names.add(`po_number ${poNumber}`);
  for (const item of Array.isArray(items) ? items : []) {
    const number = (item as { readonly tracking_number?: unknown } | null)?.tracking_number;
    if (typeof number === 'string') names.add(`tracking_number ${normaliseTrackingNumber(number)}`);
  }
  return [...names];
}

/**
 * Which forecasts of a batch have to wait for which: those that share a po_number or a logistics number are submitted in their order, so that the
 * first one is accepted; all others may be submitted at once.
 * @param forecasts as received, unchecked
 * @returns for each forecast the indexes of earlier ones that must be finished before it
 */
export function batchOrder(forecasts: readonly unknown[]): readonly (readonly number[])[] {
  const last = new Map<string, number>();
  return forecasts.map((forecast, index) => {
    const names = sharedNames(forecast);
    const before = new Set(names.flatMap((name) => last.get(name) ?? []));
    for (const name of names) last.set(name, index);
    return [...before];
  });
}
