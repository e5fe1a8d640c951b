import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOfUps, upsCodes, upsReturnStatusCodes, upsStatusCodes, upsTypedCodes, upsTypes } from './status-table.ts';
import { translateUps } from './translation.ts';

const statusOf = (type: string, code = '', statusCode = ''): AdminStatus => adminStatusOfUps(type, code, statusCode).adminStatus;
const translate = (...activity: unknown[]) => translateUps({ activity }, { trackingNumber: '1ZPWY01', dispatchedAt: 0 });

describe('the tables of codes', () => {
  test('every code counts', () => {
    for (const [type, status] of upsTypes) expect(adminStatusOfUps(type, '', '')).toEqual({ adminStatus: status, isKnown: true });
    for (const [code, status] of upsCodes) expect(adminStatusOfUps('D', code, '')).toEqual({ adminStatus: status, isKnown: true });
    for (const [codes, adminStatus] of upsTypedCodes) {
      const [type = '', code = ''] = codes.split(' ');
      expect(adminStatusOfUps(type, code, '')).toEqual({ adminStatus, isKnown: true });
    }
    for (const [code, status] of upsStatusCodes) expect(adminStatusOfUps('I', '', code)).toEqual({ adminStatus: status, isKnown: true });
    for (const code of upsReturnStatusCodes) expect(adminStatusOfUps('X', '', code)).toEqual({ adminStatus: 'Returning', isKnown: true });
  });

  test('end no way by a code of one kind alone, and know nothing that means returned for good', () => {
    const every = [upsTypes, upsCodes, upsTypedCodes, upsStatusCodes].flatMap((table) => [...table.values()]);
    expect(every).not.toContain('Parcel Return to Origin');
    expect([...upsStatusCodes.values(), ...upsCodes.values(), ...upsTypes.values()].some(isTerminalAdminStatus)).toBe(false);
  });
});

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
    expect(translate({ status: { type: 'D', statusCode } }).undated).toMatchObject([{ adminStatus: 'Delivery Success', status: '011' }]);
});
