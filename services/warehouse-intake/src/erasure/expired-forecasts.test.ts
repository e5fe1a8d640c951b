import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { accept, acceptedForecast, changeForecast, intakeEvent, viewForecast, viewItem } from '../testing/samples.ts';

describe('expired forecasts', () => {
  let driver: OpenStores;
  beforeEach(async () => {
    driver = openStores();
  });
  afterEach(() => driver.close());

  test('leave the directory and the view, and a late report of them waits', async () => {
    const { expired, intake, directory, view } = driver;
    const { tenantId } = acceptedForecast();
    for (const forecastNo of ['FC1', 'FC2']) {
      await accept(intake, acceptedForecast({ forecastNo, trackingNumbers: [`LP${forecastNo}`] }));
      await changeForecast(directory, forecastNo, () => ({ forecast: viewForecast({ forecastNo, tenantId }), items: [viewItem()] }));
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

  test('leave the view of their former warehouses, too', async () => {
    const { expired, directory, view } = driver;
    const { tenantId } = acceptedForecast();
    const numbers = ['FC1', 'FC10', 'FC2'];
    for (const [version, warehouseCode] of ['WH1', 'WH2', 'WH3'].entries()) {
      for (const forecastNo of numbers) {
        const { content, ...forecast } = viewForecast({ forecastNo, tenantId, warehouseCode });
        const corrected = { ...forecast, content: content && { ...content, version: version + 1 } };
        await changeForecast(directory, forecastNo, () => ({ forecast: corrected, items: [viewItem()] }));
      }
    }
    const moved = async (warehouse: string): Promise<string[]> => {
      const seen = await view.list(warehouse, { statuses: [], moved: true, above: -1, limit: 10 });
      return seen.map(({ forecast }) => forecast.forecastNo).sort();
    };
    expect([await moved('WH1'), await moved('WH2'), await moved('WH3')]).toEqual([numbers, numbers, []]);
    await expired.drop([
      { tenantId: 'tnt_other', forecastNo: 'FC2' },
      { tenantId, forecastNo: 'FC1' },
    ]);
    expect([await moved('WH1'), await moved('WH2')]).toEqual([numbers.slice(1), numbers.slice(1)]);
    expect(await view.read('WH3', 'FC1')).toBeUndefined();
    expect(await view.read('WH3', 'FC2')).toBeDefined();
  });

  test('take what was reported of them with them, and nothing of others', async () => {
    const { expired, intake } = driver;
    const { tenantId } = acceptedForecast();
    const reports = ['FC1', 'FC2'].flatMap((forecastNo) => [
      intakeEvent({ eventId: `${forecastNo} scan`, expressNo: `LP${forecastNo}` }),
      intakeEvent({ eventId: `${forecastNo} elsewhere`, forecastNo, warehouseCode: 'WH2' }),
    ]);
    for (const forecastNo of ['FC1', 'FC2']) await accept(intake, acceptedForecast({ forecastNo, trackingNumbers: [`LP${forecastNo}`] }));
    const lost = ['FC1', 'FC2'].map((forecastNo) => intakeEvent({ eventId: `claimed by ${forecastNo}`, expressNo: `LOST ${forecastNo}` }));
    expect(await intake.record([...reports, ...lost])).toMatchObject({ published: 2 });
    for (const forecastNo of ['FC1', 'FC2']) {
      const claim = { action: 'claim', warehouseCode: 'WH1', eventId: `claimed by ${forecastNo}`, resolvedBy: 'key_1' } as const;
      expect(await intake.resolve({ ...claim, forecastNo })).toMatchObject({ published: 1, resolution: { forecastNo } });
    }
    await driver.published();
    await expired.drop([{ tenantId: 'tnt_other', forecastNo: 'FC1' }]);
    expect(await driver.dump()).toContain('FC1 scan');
    await expired.drop([{ tenantId, forecastNo: 'FC1' }]);
    const left = await driver.dump();
    expect(left).not.toContain('FC1');
    for (const mark of ['FC2 scan', 'FC2 elsewhere', 'claimed by FC2']) expect([mark, left.includes(mark)]).toEqual([mark, true]);
  });
});
