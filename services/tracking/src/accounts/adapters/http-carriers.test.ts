import { expect, test } from '@jest/globals';
import { connectionOf } from '../../testing/samples.ts';
import { servedCarriers } from './http-carriers.ts';

const own = (source: string, ...carriers: string[]) => connectionOf({ source, carriers, tenantId: 'tnt_a' });
const operators = (source: string, ...carriers: string[]) => connectionOf({ source, carriers });
const rowsOf = (...given: Parameters<typeof servedCarriers>) =>
  servedCarriers(...given).carriers.map(({ carrier_code, served_by, source }) => `${carrier_code} ${served_by} ${source}`);

test('each carrier is listed once, with what is asked first', () => {
  expect(rowsOf([own('dhl', 'dhl'), own('17track', 'dhl', 'ups')], [operators('ups', 'ups', 'sf')])).toEqual([
    'dhl own dhl',
    'sf platform ups',
    'ups own 17track',
  ]);
});

test('a connection for every carrier serves those that nobody asks before it', () => {
  const all = [operators('17track', '*')];
  expect(rowsOf([], all)).toEqual([]);
  expect(rowsOf([own('easypost', '*')], [operators('ups', 'ups')])).toEqual(['ups own easypost']);
  expect([servedCarriers([], all), servedCarriers([], [])].map(({ serves_all }) => serves_all)).toEqual([true, false]);
});
