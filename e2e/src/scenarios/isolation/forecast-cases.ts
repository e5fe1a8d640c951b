import { expect } from '@jest/globals';
import type { ForecastCounts } from '@parcelway/contracts/forecast-counts-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import { samplePng } from '@parcelway/harness/sample-data';
import type { Cases, Neighbours } from './neighbours.ts';

/** Forecasts of another tenant. */
export function forecastCases(neighbours: Neighbours): Cases {
  const { stage, owner, stranger, owned, likeMissing } = neighbours;

  function onQuery(id: string): () => Promise<void> {
    return () => likeMissing(id, { query: { po_number: owned.po_number } }, { query: { po_number: newPoNumber() } }, '40401');
  }

  /** Route id → what is tried. */
  return {
    submitForecast: async () => {
      const another = await stage.operator.newMerchant();
      // The same po_number and the same logistics number are free for another tenant, and say nothing of the first.
      const accepted = await another.submit({ poNumber: owned.po_number, trackingNumber: owned.trackingNumber, items: 2 });
      expect(accepted.forecast_no).not.toBe(owned.forecast_no);
      expect(await owner.forecast(owned.po_number)).toMatchObject({ forecast_no: owned.forecast_no, item_count: 1 });
      await another.cancel(owned.po_number);
      expect((await owner.forecast(owned.po_number)).status).toBe(3);
    },
    listForecasts: async () => {
      const numbers = [{ tracking_number: owned.trackingNumber }, { forecast_no: owned.forecast_no }, { sku_code: 'SKU-1' }];
      const others = [{ q: owned.po_number }, { updated_from: '2020-01-01T00:00:00Z' }, { warehouse_code: stage.clerk.code }];
      for (const query of [{}, { po_number: owned.po_number }, { status: 'WEIGHED' }, ...numbers, ...others]) {
        const list = await expectRoute<{ forecasts: unknown[] }>(stranger.client, 'listForecasts', {
          query: query as Record<string, string>,
        });
        expect(list.forecasts).toEqual([]);
      }
    },
    countForecasts: async () => {
      const { statuses } = await expectRoute<ForecastCounts>(stranger.client, 'countForecasts');
      expect(statuses.filter(({ count }) => count > 0)).toEqual([]);
      const owners = await expectRoute<ForecastCounts>(owner.client, 'countForecasts');
      expect(owners.statuses.some(({ count }) => count > 0)).toBe(true);
    },
    exportForecasts: async () => {
      for (const query of [{}, { q: owned.po_number }, { tracking_number: owned.trackingNumber }] as const) {
        const { text } = await callRoute(stranger.client, 'exportForecasts', { query: query as Record<string, string> });
        expect(text.trimEnd().split('\r\n')).toHaveLength(1);
      }
    },
    queryWeighing: onQuery('queryWeighing'),
    queryTracking: onQuery('queryTracking'),
    detectCarriers: async () => {
      // Computed from the number alone: that a tenant has submitted it changes nothing for anyone.
      const query = { tracking_number: owned.trackingNumber };
      const [mine, theirs] = [
        await expectRoute(owner.client, 'detectCarriers', { query }),
        await expectRoute(stranger.client, 'detectCarriers', { query }),
      ];
      expect(theirs).toEqual(mine);
    },
    getForecast: () =>
      likeMissing('getForecast', { path: { po_number: owned.po_number } }, { path: { po_number: newPoNumber() } }, '40401'),
    correctForecast: async () => {
      const body = { due_date: '2027-01-01' };
      const [owners, nobodys] = [{ po_number: owned.po_number }, { po_number: newPoNumber() }];
      await likeMissing('correctForecast', { path: owners, body }, { path: nobodys, body }, '40401');
      expect(await owner.forecast(owned.po_number)).toMatchObject({ version: 1, due_date: null });
    },
    cancelForecast: () =>
      likeMissing('cancelForecast', { path: { po_number: owned.po_number } }, { path: { po_number: newPoNumber() } }, '40401'),
    addForecastImage: async () => {
      const { data } = await stranger.uploadImage('a.png', samplePng(newPoNumber('image')));
      const body = { image_id: data.image_id, image_type: 'product' };
      const as = (po_number: string): RouteCall => ({ path: { po_number }, body });
      await likeMissing('addForecastImage', as(owned.po_number), as(newPoNumber()), '40401');
    },
    removeForecastImage: async () => {
      const { data } = await owner.uploadImage('a.png', samplePng(newPoNumber('image')));
      const body = { image_id: data.image_id, image_type: 'product' };
      const { id } = await expectRoute<{ id: number }>(owner.client, 'addForecastImage', { path: { po_number: owned.po_number }, body });
      const as = (po_number: string): RouteCall => ({ path: { po_number, image_number: String(id) } });
      await likeMissing('removeForecastImage', as(owned.po_number), as(newPoNumber()), '40401');
      expect((await owner.weighing(owned.po_number)).forecast_images.map((image) => image.id)).toContain(id);
    },
    simulate: async () => {
      const body = (po_number: string): RouteCall => ({ body: { po_number, step: 'process' } });
      await likeMissing('simulate', body(owned.po_number), body(newPoNumber()), '40401');
      expect((await owner.forecast(owned.po_number)).status).toBe(3);
    },
  };
}
