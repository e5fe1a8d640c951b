import type { CorrectedForecast } from './event.ts';

/** What the directory knows of a forecast that is corrected. */
export interface CorrectableForecast {
  /** Version of the forecast that it follows. */
  readonly version: number;
  readonly isCancelled: boolean;
  readonly warehouseCode: string;
  /** Numbers that lead to it. */
  readonly numbers: readonly string[];
  /** Those of the numbers that are on its parcel: an event under them went to it, or the warehouse has claimed them for it. */
  readonly onParcel: readonly string[];
}

/** What becomes of it. */
export interface DirectoryCorrection {
  readonly warehouseCode: string;
  /** Numbers that lead to it now. */
  readonly numbers: readonly string[];
  /** Numbers that do not lead to it any more, at the warehouse where it was. */
  readonly freed: readonly string[];
}

/**
 * What a correction changes in the directory. A number that is on the parcel stays, whatever the merchant declares now, and so does the warehouse that
 * has the parcel: the correction and its first event have crossed.
 * @returns undefined when it changes nothing: the forecast is cancelled, or a correction as new is known
 */
export function correctDirectory(known: CorrectableForecast, corrected: CorrectedForecast): DirectoryCorrection | undefined {
  if (known.isCancelled || corrected.version <= known.version) return undefined;
  const warehouseCode = known.onParcel.length > 0 ? known.warehouseCode : corrected.warehouseCode;
  const numbers = [...new Set([...corrected.trackingNumbers, ...known.onParcel])];
  const lead = new Set(warehouseCode === known.warehouseCode ? numbers : []);
  return { warehouseCode, numbers, freed: known.numbers.filter((number) => !lead.has(number)) };
}
