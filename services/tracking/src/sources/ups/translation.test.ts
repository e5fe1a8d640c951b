import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOfUps, translateUps, upsTypes } from './translation.ts';

const statusOf = (type: string, code = '', statusCode = ''): AdminStatus => adminStatusOfUps(type, code, statusCode).adminStatus;
const translate = (...activity: unknown[]) => translateUps({ activity }, { trackingNumber: '1ZPWY01', dispatchedAt: 0 });

test('codes of an end under another type are not final', () => {
  for (const type of ['', 'M', 'MV', 'P', 'I', 'U', 'X', 'O', 'RS', 'ZZ'])
    for (const [code, statusCode] of [['FS'], ['KB'], ['FS', '011'], ['', '011']])
      expect(isTerminalAdminStatus(statusOf(type, code, statusCode))).toBe(false);
  for (const type of ['X', 'I', 'D', 'U', '']) expect(isTerminalAdminStatus(statusOf(type, 'VD', '007'))).toBe(false);
});

test('a return wins over a delivery, but for one that one list alone knows', () => {
  for (const statusCode of ['034', '037', '067']) expect(statusOf('D', 'FS', statusCode)).toBe('Returning');
  for (const statusCode of ['081', '118', '119'])
    for (const code of ['FS', 'KB']) expect(statusOf('D', code, statusCode)).toBe('Delivery Success');
});

describe('an unknown code', () => {
  test('counts as the type beside it', () => {
    for (const [type, adminStatus] of upsTypes) {
      expect(adminStatusOfUps(type, 'Q9', '')).toEqual({ adminStatus, isKnown: false });
      expect(adminStatusOfUps(type, '', '999')).toEqual({ adminStatus, isKnown: false });
    }
  });

  test('of a type is In Transit, whatever its codes; without a type the codes decide', () => {
    expect(adminStatusOfUps('ZZ', 'OT', '021')).toEqual({ adminStatus: 'In Transit', isKnown: false });
    expect(adminStatusOfUps('', 'OT', '')).toEqual({ adminStatus: 'In Delivery', isKnown: true });
    expect(adminStatusOfUps('', 'Q9', '')).toEqual({ adminStatus: 'In Transit', isKnown: false });
  });
});

test('status codes are read without their zeros, as texts and as numbers', () => {
  for (const statusCode of ['11', 11, '011', ' 011 '])
    expect(translate({ date: '20261112', time: '083105', status: { type: 'D', statusCode } }).nodes).toMatchObject([
      { adminStatus: 'Delivery Success', status: '011' },
    ]);
});
