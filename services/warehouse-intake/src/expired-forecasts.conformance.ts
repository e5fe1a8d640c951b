import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { ExpiredForecasts } from './expired-forecasts.ts';
import type { IntakeStore } from './matching/ports.ts';
import { accept } from './testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW } from './testing/samples.ts';
import { viewForecast, viewItem } from './testing/view-samples.ts';
import { changeForecast, type ViewStore } from './view/ports.ts';

/** Stores under test over one database, empty at first. */
export interface ExpiredForecastsDriver {
  readonly expired: ExpiredForecasts;
  readonly intake: IntakeStore;
  readonly view: ViewStore;
  close(): Promise<void>;
}

/** What every driver must do. @param open a driver with empty stores */
export function describeExpiredForecasts(name: string, open: (clock: ManualClock) => Promise<ExpiredForecastsDriver>): void {
  describe(`expired forecasts: ${name}`, () => {
    let driver: ExpiredForecastsDriver;
    beforeEach(async () => {
      driver = await open(new ManualClock(NOW));
    });
    afterEach(() => driver.close());

    test('leave the directory and the view, and a late report of them waits', async () => {
      const { expired, intake, view } = driver;
      const { tenantId } = acceptedForecast();
      for (const forecastNo of ['FC1', 'FC2']) {
        await accept(intake, acceptedForecast({ forecastNo, trackingNumbers: [`LP${forecastNo}`] }));
        await changeForecast(view, forecastNo, () => ({ forecast: viewForecast({ forecastNo, tenantId }), items: [viewItem()] }));
      }
      await expired.drop([{ tenantId: 'tnt_other', forecastNo: 'FC2' }]);
      await expired.drop([
        { tenantId, forecastNo: 'FC1' },
        { tenantId, forecastNo: 'none' },
      ]);
      await expired.drop([{ tenantId, forecastNo: 'FC1' }]);
      expect(await view.read('WH1', 'FC1')).toBeUndefined();
      expect(await view.read('WH1', 'FC2')).toBeDefined();
      const late = [intakeEvent({ forecastNo: 'FC1' }), intakeEvent({ expressNo: 'LPFC1' }), intakeEvent({ expressNo: 'LPFC2' })];
      expect(await intake.record(late)).toMatchObject({ published: 1 });
      expect(await intake.unclaimed(10)).toHaveLength(2);
    });
  });
}
