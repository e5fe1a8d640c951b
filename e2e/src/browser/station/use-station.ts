import { expect } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { useOpened, useStage } from '../../use-stage.ts';
import { useBrowser } from '../use-browser.ts';
import { openStation, type StationLook, type StationPage } from './station-page.ts';

/** A parcel that the warehouse knows of. */
export interface Parcel {
  readonly owner: Merchant;
  readonly poNumber: string;
  readonly forecastNo: string;
  readonly trackingNumber: string;
}

/** The station of a platform, for the tests of a file. Windows are closed after each test. */
export function useStation() {
  const stage = useStage();
  const { browser, closing } = useBrowser();
  const warehouse = useOpened('key of the warehouse', () => stage.operator.issueKey({ warehouse_code: stage.clerk.code }));
  /** The page before the warehouse has signed in. */
  const open = async (look: StationLook = {}): Promise<StationPage> =>
    closing(await openStation(browser, stage.platform.quickstart.base_url, look));
  /** Announces parcels of one merchant, and waits until the warehouse can read them. */
  const announced = async (count: number): Promise<Parcel[]> => {
    const owner = await stage.operator.newMerchant();
    const parcels: Parcel[] = [];
    for (let index = 0; index < count; index += 1) {
      const trackingNumber = newPoNumber('SF');
      const { po_number, forecast_no } = await owner.untilAccepted(await owner.body({ trackingNumber }));
      parcels.push({ owner, poNumber: po_number, forecastNo: forecast_no, trackingNumber });
    }
    await Promise.all(parcels.map(({ forecastNo }) => stage.clerk.untilForecast(forecastNo)));
    return parcels;
  };
  return {
    stage,
    warehouse,
    open,
    /** The bench with the warehouse signed in. */
    async bench(look?: StationLook): Promise<StationPage> {
      const at = await open(look);
      await at.signIn(warehouse.key);
      return at;
    },
    announced,
    async announcedOne(): Promise<Parcel> {
      const [parcel] = await announced(1);
      if (parcel === undefined) throw new Error('There is no parcel');
      return parcel;
    },
  };
}

/** Waits until the merchant reads of a parcel what is expected. */
export async function shows({ owner, poNumber }: Parcel, expected: object): Promise<void> {
  let last: ForecastDetail | undefined;
  try {
    await until(async () => {
      last = await owner.forecast(poNumber);
      expect(last).toMatchObject(expected);
      return true;
    });
  } catch {
    expect(last).toMatchObject(expected);
  }
}
