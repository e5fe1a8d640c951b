import { expect, test } from '@jest/globals';
import { connectionOf } from '../../testing/samples.ts';
import { type Connection, connectionsFor, normalCarrierCode } from './connection.ts';

const connection = (connectionId: string, tenantId: string | null, ...carriers: string[]) =>
  connectionOf({ connectionId, tenantId, carriers });

const idsFor = (connections: readonly Connection[], carrierCode: string, tenantId = 'tnt_a'): string[] =>
  connectionsFor(connections, tenantId, carrierCode).map(({ connectionId }) => connectionId);

test('the tenant is asked before the operator, and one that names the carrier before one for all', () => {
  const connections = [
    connection('operator all', null, '*'),
    connection('operator ups', null, 'dhl', 'ups'),
    connection('own all', 'tnt_a', '*'),
    connection('own ups', 'tnt_a', 'ups'),
    connection('other', 'tnt_b', 'ups', '*'),
  ];
  expect(idsFor(connections, 'ups')).toEqual(['own ups', 'own all', 'operator ups', 'operator all']);
  expect(idsFor(connections, 'gls')).toEqual(['own all', 'operator all']);
  expect(idsFor(connections, 'ups', 'tnt_c')).toEqual(['operator ups', 'operator all']);
});

test('a connection that names a carrier and all is asked once, as one that names it', () => {
  expect(idsFor([connection('all', null, '*'), connection('both', null, '*', 'ups')], 'ups')).toEqual(['both', 'all']);
});

test('the code of a carrier may have any case, and blanks around it', () => {
  expect(idsFor([connection('a', null, 'yun-express')], ' Yun-Express ')).toEqual(['a']);
  expect(normalCarrierCode(' DHL\t')).toBe('dhl');
});

test('an unknown carrier of the name * is served by connections for all, and by no other', () => {
  expect(idsFor([connection('a', null, 'ups'), connection('b', null, '*')], '*')).toEqual(['b']);
});

test('the simulated carrier is served by a connection that names it, and by none for all', () => {
  expect(idsFor([connection('all', null, '*'), connection('own all', 'tnt_a', '*')], 'Simulated')).toEqual([]);
  expect(idsFor([connection('all', null, '*'), connection('named', null, 'simulated')], 'simulated')).toEqual(['named']);
});
