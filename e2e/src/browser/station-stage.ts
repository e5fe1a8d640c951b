import { expect } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Browser } from 'playwright-core';
import { Stage } from '../stage.ts';
import { launchBrowser } from './page-window.ts';
import { type StationLook, StationPage } from './station-page.ts';

/** A parcel that the warehouse knows of. */
export interface Parcel {
  readonly owner: Merchant;
  readonly poNumber: string;
  readonly forecastNo: string;
  readonly trackingNumber: string;
}

/** What sets a parcel apart. */
export interface ParcelSample {
  readonly forecastType?: 1 | 2;
  readonly trackingNumber?: string;
}

/** What the tests read of the warehouse's view. */
interface Viewed {
  readonly shipping_label: string | null;
  readonly marketplace_label: string | null;
  readonly packing_slip: string | null;
  readonly status: number;
}

/** A platform with a warehouse, a browser, and the benches that are open in it. */
export class StationStage {
  readonly stage: Stage;
  readonly browser: Browser;
  /** Key of the warehouse. */
  readonly key: string;
  readonly #open: StationPage[] = [];

  private constructor(stage: Stage, browser: Browser, key: string) {
    this.stage = stage;
    this.browser = browser;
    this.key = key;
  }

  static async open(): Promise<StationStage> {
    const [stage, browser] = await Promise.all([Stage.open(), launchBrowser()]);
    return new StationStage(stage, browser, (await stage.operator.issueKey({ warehouse_code: stage.clerk.code })).key);
  }

  /** The page, closed after the test. */
  async opened(look: StationLook = {}): Promise<StationPage> {
    const at = await StationPage.open(this.browser, this.stage.platform.quickstart.base_url, look);
    this.#open.push(at);
    return at;
  }

  /** The bench with the warehouse signed in. */
  async bench(look: StationLook = {}): Promise<StationPage> {
    const at = await this.opened(look);
    await at.signIn(this.key);
    return at;
  }

  /** Closes what a test has opened. Nothing must have gone wrong in it. */
  async cleared(): Promise<void> {
    const faults = this.#open.flatMap((each) => each.faults);
    await Promise.all(this.#open.splice(0).map((each) => each.close()));
    expect(faults).toEqual([]);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stage.close();
  }

  read(forecastNo: string): Promise<Viewed> {
    return expectRoute(this.stage.clerk.client, 'getWarehouseForecast', { path: { forecast_no: forecastNo } });
  }

  /** Announces parcels, and waits until the warehouse can look them up. */
  async announced(owner: Merchant, count: number, sample: ParcelSample = {}): Promise<Parcel[]> {
    const parcels: Parcel[] = [];
    for (let index = 0; index < count; index += 1) {
      const trackingNumber = sample.trackingNumber ?? newPoNumber('SF');
      const { po_number, forecast_no } = await owner.submit({ ...sample, trackingNumber });
      parcels.push({ owner, poNumber: po_number, forecastNo: forecast_no, trackingNumber });
    }
    await until(async () => (await Promise.all(parcels.map(({ forecastNo }) => this.read(forecastNo)))).length === count);
    return parcels;
  }

  async announcedOne(sample: ParcelSample = {}): Promise<Parcel> {
    const [parcel] = await this.announced(await this.stage.operator.newMerchant(), 1, sample);
    if (parcel === undefined) throw new Error('There is no parcel');
    return parcel;
  }
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
