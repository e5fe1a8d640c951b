import { expect, test } from '@jest/globals';
import type { Connection } from './connection.ts';
import { servedCarriers } from './served-carriers.ts';

const connection = (source: string, carriers: readonly string[], tenantId: string | null = null): Connection => ({
  connectionId: source,
  tenantId,
  source,
  baseUrl: null,
  carriers,
  limits: null,
  credentials: {},
});
const own = (source: string, ...carriers: string[]) => connection(source, carriers, 'tnt_a');
const operators = (source: string, ...carriers: string[]) => connection(source, carriers);
const rowsOf = (...given: Parameters<typeof servedCarriers>) =>
  servedCarriers(...given).carriers.map(({ carrierCode, servedBy, source }) => `${carrierCode} ${servedBy} ${source}`);

test('each carrier is listed once, with what is asked first', () => {
  expect(rowsOf([own('dhl', 'dhl'), own('17track', 'dhl', 'ups')], [operators('ups', 'ups', 'sf')], ['sf', 'yt'])).toEqual([
    'dhl own dhl',
    'sf platform ups',
    'ups own 17track',
    'yt platform generic',
  ]);
});

test('a connection for every carrier serves those that nobody asks before it', () => {
  const all = [operators('17track', '*')];
  expect(rowsOf([], all, ['sf'])).toEqual(['sf platform generic']);
  expect(rowsOf([], [operators('17track', '*', 'ups')], ['sf'])).toEqual(['sf platform 17track', 'ups platform 17track']);
  expect(rowsOf([own('easypost', '*')], [operators('ups', 'ups')], ['sf'])).toEqual(['sf own easypost', 'ups own easypost']);
  expect([servedCarriers([], all, []), servedCarriers([], [], ['sf'])].map(({ servesAll }) => servesAll)).toEqual([true, false]);
});
