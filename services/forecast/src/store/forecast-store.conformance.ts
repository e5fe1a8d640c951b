import { describe } from '@jest/globals';
import { type OpenForTest, useStore } from '../testing/store-under-test.ts';
import { describeForecastChanges } from './forecast-changes.conformance.ts';
import { describeForecastCorrections } from './forecast-corrections.conformance.ts';
import { describeForecastInserts } from './forecast-inserts.conformance.ts';
import { describeForecastLists } from './forecast-lists.conformance.ts';
import { describeForecastReads } from './forecast-reads.conformance.ts';

/** What every store of forecasts must do, whatever it is made of. `openStore` opens an empty one. */
export function describeForecastStore(name: string, openStore: OpenForTest): void {
  describe(`forecast store over ${name}`, () => {
    useStore(openStore);
    describeForecastInserts();
    describeForecastChanges();
    describeForecastCorrections();
    describeForecastReads();
    describeForecastLists();
  });
}
