import { describe, expect, test } from '@jest/globals';
import { NOW, node } from '../testing/samples.ts';
import { newestInstant, simulateNode } from './simulated-node.ts';

describe('a simulated node', () => {
  test('happens now, in the zone of the simulated carrier, unless it is told otherwise', () => {
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

  test('says what it is told', () => {
    const wish = {
      adminStatus: 'Exception',
      content: 'Lost',
      address: 'Berlin',
      createTime: '2026-11-20 10:00:00',
      times: '(GMT+01:00)',
    } as const;
    const { adminStatus, ...told } = wish;
    expect(simulateNode(wish, 'SIM1', NOW, NOW)).toEqual({ orderNo: 'SIM1', status: adminStatus, adminStatus, ...told });
  });

  test('is shown in the zone that it is told', () => {
    const wish = { adminStatus: 'In Transit', times: '(GMT-05:30)' } as const;
    expect(simulateNode(wish, 'SIM1', undefined, NOW)).toMatchObject({ createTime: '2026-11-21 02:30:00', times: '(GMT-05:30)' });
  });

  test('comes a second after the newest one of the parcel, or now when that is later', () => {
    const created = (newest: number): string => simulateNode({ adminStatus: 'In Transit' }, 'SIM1', newest, NOW).createTime;
    expect(created(NOW)).toBe('2026-11-21 16:00:01');
    expect(created(NOW + 5000)).toBe('2026-11-21 16:00:06');
    expect(created(NOW - 5000)).toBe('2026-11-21 16:00:00');
  });
});

test('the newest instant is that of the latest node, wherever it stands; without nodes there is none', () => {
  expect(newestInstant([node(5), node(9), node(7)])).toBe(NOW + 9000);
  expect(newestInstant([])).toBeUndefined();
});
