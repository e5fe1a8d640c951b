import { describe, expect, test } from '@jest/globals';
import { useStation } from './use-station.ts';

/* Every view of the station, in both themes and languages: faults of accessibility, and widths. */

const station = useStation();

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['en-GB', 'zh-CN'])('%s: no serious fault of accessibility, and nothing wider than a tablet', async (locale) => {
    const { trackingNumber } = await station.announcedOne();
    const at = await station.open({ colorScheme, locale });
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.faultsAt(768, 1366);
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(station.warehouse.key);
    await at.until(`document.documentElement.lang === '${locale}'`);
    await check('idle');
    await at.line(trackingNumber);
    await at.page.locator('.parcel').waitFor();
    await check('parcel');
    await at.line('N');
    await at.line('1');
    await at.page.locator('.items .marked').waitFor();
    await check('count');
    await at.line('*');
    await at.page.keyboard.press('Escape');
    await at.line('X');
    await at.page.locator('.reasons').waitFor();
    await check('exception');
    await at.page.keyboard.press('Escape');
    await at.line('H');
    await at.line('');
    await at.page.locator('.alarm').waitFor();
    await check('hold');
    await at.page.keyboard.press('Escape');
    await at.line('SKU-1');
    await at.page.locator('.candidates, .parcel').first().waitFor();
    await check('choose');
    await at.page.keyboard.press('Escape');
    await at.line('NOBODY-KNOWS');
    await at.page.locator('.scan-shown').waitFor();
    await check('unknown');
    await station.stage.clerk.report(station.stage.clerk.event({ type: 'arrival', express_no: 'NOBODY-KNOWS' }));
    await at.line('A');
    await at.page.locator('.candidates').waitFor();
    await check('unclaimed');
    await at.line('NOBODY-KNOWS');
    await at.page.locator('h1', { hasText: 'NOBODY-KNOWS' }).waitFor();
    await check('whose');
    await at.line(trackingNumber);
    await at.page.locator('.content').waitFor();
    await check('claim');
    for (let back = 0; back < 3; back += 1) await at.page.keyboard.press('Escape');
    await at.line('R');
    await at.page.getByRole('dialog').waitFor();
    await check('reports');
    expect(faults).toEqual({});
  });
});
