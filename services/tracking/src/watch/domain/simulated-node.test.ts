import { describe, expect, test } from '@jest/globals';
import { NOW, node } from '../../testing/samples.ts';
import { simulateNode } from './simulated-node.ts';

describe('a simulated node', () => {
  const created = (known: readonly number[], now = NOW): string =>
    simulateNode(
      known.map((seconds) => node(seconds)),
      { adminStatus: 'In Transit' },
      { trackingNumber: 'SIM1', now },
    ).createTime;

  test('happens now, in the zone of the simulated carrier, unless the wish says otherwise', () => {
    expect(simulateNode([], { adminStatus: 'In Transit' }, { trackingNumber: 'SIM1', now: NOW + 999 })).toEqual({
      orderNo: 'SIM1',
      address: '',
      content: 'In Transit',
      status: 'In Transit',
      createTime: '2026-11-21 16:00:00',
      times: '(GMT+08:00)',
      adminStatus: 'In Transit',
    });
  });

  test('comes a second after the latest one of the parcel, wherever it is, or now when that is later', () => {
    expect(created([5, 9, 7])).toBe('2026-11-21 16:00:10');
    expect(created([-5])).toBe('2026-11-21 16:00:00');
  });
});
