import { describe, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { viewForecast } from '../../testing/view-samples.ts';
import { MOVED_STATUS, movedAway, movedId, movedIds } from './seen-by-warehouse.ts';

const before = viewForecast({
  dispatch: { carrierCode: 'dhl', trackingNumber: 'T1', dispatchedAt: '2026-11-23T00:00:00+08:00', told: 'then' },
  holding: { onHold: true, holds: [{ reason: 'wet', held_at: '2026-11-22T09:00:00+08:00', released_at: null }], reports: 1 },
});
const corrected = (warehouseCode: string) => ({ ...before, warehouseCode, content: before.content && { ...before.content, version: 2 } });

describe('a forecast that a correction moves to another warehouse', () => {
  test('leaves word at the former one, without the files', () => {
    expect(movedAway(before, corrected('WH2'))).toEqual({
      ...before,
      content: { ...before.content, shippingLabel: null, shippingNote: null },
      itemsVersion: 0,
      dispatch: null,
      holding: null,
      isMoved: true,
    });
  });

  test('leaves none where no warehouse has seen it', () => {
    expect(movedAway(undefined, corrected('WH2'))).toBeUndefined();
    expect(movedAway(viewForecast({ warehouseCode: null, content: null }), corrected('WH2'))).toBeUndefined();
  });

  test('is stored apart from the forecast, for each former warehouse', () => {
    expect(Object.values(forecastStatuses)).not.toContain(MOVED_STATUS);
    expect(new Set(['FC1', movedId('FC1', 'WH1'), movedId('FC1', 'WH2'), movedId('FC2', 'WH1')]).size).toBe(4);
    const { from, before } = movedIds('FC1');
    const ids = [
      'FC1',
      'FC10',
      movedId('FC1', 'A'),
      movedId('FC1', 'WH-9'),
      movedId('FC1', 'zz'),
      movedId('FC10', 'WH1'),
      movedId('FC2', 'WH1'),
    ];
    expect(ids.filter((id) => id >= from && id < before)).toEqual(['FC1 A', 'FC1 WH-9', 'FC1 zz']);
  });
});

test('a correction that leaves the forecast at its warehouse leaves no word there', () => {
  expect(movedAway(before, corrected('WH1'))).toBeUndefined();
});
