import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOfUps, upsCodes, upsReturnStatusCodes, upsStatusCodes, upsTypedCodes, upsTypes } from './status-table.ts';

const statusOf = (type: string, code = '', statusCode = ''): AdminStatus => adminStatusOfUps(type, code, statusCode).adminStatus;

describe('the status table, cell by cell', () => {
  const cells: readonly [AdminStatus, string, string, string][] = [
    ['Info Received', 'M', '', ''],
    ['Info Received', 'MV', '', ''],
    ['Info Received', 'M', 'MP', '003'],
    ['Picked Up', 'I', 'OR', ''],
    ['Picked Up', 'I', 'OR', '005'],
    ['Picked Up', 'I', 'PU', '038'],
    ['In Transit', 'I', '', ''],
    ['In Transit', 'U', '', ''],
    ['Customs Clearance', 'X', 'SR', '003'],
    ['In Delivery', 'I', 'OT', '021'],
    ['In Delivery', 'D', 'OT', '021'],
    ['In Delivery', 'I', 'OF', ''],
    ['In Delivery', 'D', 'OF', ''],
    ['Available for Pickup', 'X', 'RP', ''],
    ['Available for Pickup', 'D', 'AC', ''],
    ['Available for Pickup', 'I', 'WC', ''],
    ['Delivery Attempted', 'X', '3J', ''],
    ['Delivery Attempted', 'X', '48', '022'],
    ['Delivery Attempted', 'X', '', '060'],
    ['Exception', 'X', '', ''],
    ['Exception', 'X', 'CA', '013'],
    ['Returning', 'X', 'RS', ''],
    ['Returning', 'I', 'RT', ''],
    ['Returning', 'RS', '', ''],
    ['Delivery Success', 'D', 'FS', ''],
    ['Delivery Success', 'D', 'KB', '011'],
    ['Delivery Success', 'D', '9E', '011'],
    ['Delivery Success', 'D', '', '011'],
    ['Delivery Failure', 'MV', 'VD', '007'],
    ['Delivery Failure', 'M', 'VD', ''],
  ];
  test.each(cells)('%s: type %s, code %s, status code %s', (adminStatus, type, code, statusCode) => {
    expect(adminStatusOfUps(type, code, statusCode)).toEqual({ adminStatus, isKnown: true });
  });

  test('every code of the table counts', () => {
    for (const [type, status] of upsTypes) expect(adminStatusOfUps(type, '', '')).toEqual({ adminStatus: status, isKnown: true });
    for (const [code, status] of upsCodes) expect(adminStatusOfUps('D', code, '')).toEqual({ adminStatus: status, isKnown: true });
    for (const [codes, adminStatus] of upsTypedCodes) {
      const [type = '', code = ''] = codes.split(' ');
      expect(adminStatusOfUps(type, code, '')).toEqual({ adminStatus, isKnown: true });
    }
    for (const [code, status] of upsStatusCodes) expect(adminStatusOfUps('I', '', code)).toEqual({ adminStatus: status, isKnown: true });
    for (const code of upsReturnStatusCodes) expect(adminStatusOfUps('X', '', code)).toEqual({ adminStatus: 'Returning', isKnown: true });
  });

  test('no code has two places', () => {
    for (const code of upsReturnStatusCodes) expect(upsStatusCodes.has(code)).toBe(false);
    for (const codes of upsTypedCodes.keys()) expect(upsCodes.has(codes.split(' ')[1] ?? '')).toBe(false);
    expect([...upsStatusCodes.keys()].every((code) => /^\d{3}$/.test(code))).toBe(true);
  });
});

describe('traps', () => {
  test('type D alone is not delivered', () => {
    for (const [code, statusCode] of [
      ['', ''],
      ['OT', ''],
      ['OF', '021'],
      ['ZL', '072'],
      ['QQ', ''],
      ['2W', '026'],
    ])
      expect(statusOf('D', code, statusCode)).toBe('In Delivery');
  });

  test('delivered to an access point waits for its receiver', () => {
    expect(statusOf('D', 'ZP', '040')).toBe('Available for Pickup');
    expect(statusOf('D', '', '161')).toBe('Available for Pickup');
  });

  test('codes of a delivery under another type are not final', () => {
    for (const type of ['', 'M', 'MV', 'P', 'I', 'U', 'X', 'O', 'RS', 'ZZ'])
      for (const [code, statusCode] of [
        ['FS', ''],
        ['KB', ''],
        ['FS', '011'],
        ['', '011'],
      ])
        expect(isTerminalAdminStatus(statusOf(type, code, statusCode))).toBe(false);
  });

  test('X may still be delivered on time, X released by customs is clearance, X with an attempt is an attempt', () => {
    expect(statusOf('X', '5Q', '048')).toBe('Exception');
    expect(statusOf('X', 'SR', '003')).toBe('Customs Clearance');
    expect(statusOf('I', 'SR', '')).toBe('In Transit');
    for (const statusCode of ['022', '023', '024', '060', '061', '062', '066'])
      expect(statusOf('X', '', statusCode)).toBe('Delivery Attempted');
  });

  test('a refused parcel is an attempt that does not end the way', () => {
    expect(statusOf('X', '', '064')).toBe('Delivery Attempted');
  });

  test('"unable to deliver" (UU) is not ready for pickup', () => {
    expect(statusOf('X', 'UU', '')).toBe('Exception');
    expect(statusOf('X', 'UU', '069')).toBe('Exception');
  });

  test('M and MV are manifests; only VD under them voids the parcel', () => {
    expect(statusOf('MV', 'VP', '')).toBe('Info Received');
    expect(statusOf('MV', 'VP', '007')).toBe('Exception');
    for (const type of ['X', 'I', 'D', 'U', '']) expect(isTerminalAdminStatus(statusOf(type, 'VD', '007'))).toBe(false);
  });

  test('a parcel that is delivered to its sender is not delivered', () => {
    for (const statusCode of ['034', '037', '067']) expect(statusOf('D', 'FS', statusCode)).toBe('Returning');
    expect(statusOf('D', 'RS', '011')).toBe('Returning');
  });

  test('a return that one list alone knows does not undo a delivery', () => {
    expect([...upsReturnStatusCodes]).toEqual(['033', '034', '035', '036', '037', '067']);
    for (const statusCode of ['081', '118', '119']) {
      for (const code of ['FS', 'KB']) expect(statusOf('D', code, statusCode)).toBe('Delivery Success');
      expect(statusOf('X', '', statusCode)).toBe('Returning');
    }
  });

  test('UPS has no code that means returned for good', () => {
    const everyStatus = [upsTypes, upsCodes, upsTypedCodes, upsStatusCodes].flatMap((table) => [...table.values()]);
    expect(everyStatus).not.toContain('Parcel Return to Origin');
    expect([...upsStatusCodes.values(), ...upsCodes.values(), ...upsTypes.values()].some(isTerminalAdminStatus)).toBe(false);
  });
});

describe('unknown codes', () => {
  test('an unknown sub-code counts as its main status', () => {
    for (const [type, adminStatus] of upsTypes) {
      expect(adminStatusOfUps(type, 'Q9', '')).toEqual({ adminStatus, isKnown: false });
      expect(adminStatusOfUps(type, '', '999')).toEqual({ adminStatus, isKnown: false });
    }
  });

  test('a known status code stands for an unknown code of two characters', () => {
    expect(adminStatusOfUps('I', 'Q9', '005')).toEqual({ adminStatus: 'In Transit', isKnown: true });
  });

  test('an unknown type is In Transit, whatever its codes', () => {
    expect(adminStatusOfUps('ZZ', 'FS', '011')).toEqual({ adminStatus: 'In Transit', isKnown: false });
    expect(adminStatusOfUps('ZZ', 'OT', '021')).toEqual({ adminStatus: 'In Transit', isKnown: false });
  });

  test('without a type the codes decide', () => {
    expect(adminStatusOfUps('', 'OT', '')).toEqual({ adminStatus: 'In Delivery', isKnown: true });
    expect(adminStatusOfUps('', 'Q9', '')).toEqual({ adminStatus: 'In Transit', isKnown: false });
  });

  test('names that every object has are no codes', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const statuses = [adminStatusOfUps(name, '', ''), adminStatusOfUps('', name, ''), adminStatusOfUps('', '', name)];
      for (const status of statuses) expect(status).toEqual({ adminStatus: 'In Transit', isKnown: false });
    }
  });
});
