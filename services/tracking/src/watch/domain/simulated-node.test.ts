import { describe, expect, test } from '@jest/globals';
import { NOW } from '../../testing/samples.ts';
import { MAX_NODES } from './node.ts';
import { addSimulatedNode, simulateNode } from './simulated-node.ts';

describe('a simulated node', () => {
  test('happens now, in the zone of the simulated carrier, unless the wish says otherwise', () => {
    expect(simulateNode({ adminStatus: 'In Transit' }, 'SIM1', undefined, NOW + 999)).toEqual({
      orderNo: 'SIM1',
      address: '',
      content: 'In Transit',
      status: 'In Transit',
      createTime: '2026-11-21 16:00:00',
      times: '(GMT+08:00)',
      adminStatus: 'In Transit',
    });
  });

  test('says what the wish says', () => {
    const wish = {
      adminStatus: 'Exception',
      content: 'Lost',
      address: 'Berlin',
      createTime: '2026-11-20 10:00:00',
      times: '(GMT+01:00)',
    } as const;
    const { adminStatus, ...given } = wish;
    expect(simulateNode(wish, 'SIM1', NOW, NOW)).toEqual({ orderNo: 'SIM1', status: adminStatus, adminStatus, ...given });
  });

  test('comes a second after the newest one of the parcel, or now when that is later', () => {
    const created = (newest: number): string => simulateNode({ adminStatus: 'In Transit' }, 'SIM1', newest, NOW).createTime;
    expect(created(NOW)).toBe('2026-11-21 16:00:01');
    expect(created(NOW + 5000)).toBe('2026-11-21 16:00:06');
    expect(created(NOW - 5000)).toBe('2026-11-21 16:00:00');
  });
});

describe('the nodes of a simulated parcel', () => {
  const parcel = { trackingNumber: 'SIM1', now: NOW };
  const wish = { adminStatus: 'In Transit' } as const;

  test('grow by one after the latest of them, wherever it is', () => {
    const { node, dropped } = addSimulatedNode([NOW + 5000, NOW + 9000, NOW + 7000], wish, parcel);
    expect([node.createTime, dropped]).toEqual(['2026-11-21 16:00:10', 0]);
    expect(addSimulatedNode([], wish, parcel).node.createTime).toBe('2026-11-21 16:00:00');
  });

  test('lose the one created first when they are as many as may be', () => {
    const full = Array.from({ length: MAX_NODES }, (_, index) => NOW - index);
    expect(addSimulatedNode(full, wish, parcel).dropped).toBe(1);
    expect(addSimulatedNode(full.slice(1), wish, parcel).dropped).toBe(0);
  });
});
