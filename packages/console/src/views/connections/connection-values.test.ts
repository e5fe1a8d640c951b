import { describe, expect, test } from '@jest/globals';
import { type CarrierConnection, ConnectionLimits, connectableSources } from '@parcelway/contracts/carrier-connection-api';
import {
  changeOfConnection,
  creationOfConnection,
  credentialNames,
  isOptional,
  limitNames,
  sourceNames,
  valuesOfConnection,
} from './connection-values.ts';

test('sources and limits are those of the contract', () => {
  expect([...sourceNames].sort()).toEqual([...connectableSources].sort());
  expect([...limitNames].sort()).toEqual(Object.keys(ConnectionLimits.properties).sort());
});

test('a form asks for the credentials of the source, and for others that are stored', () => {
  expect(credentialNames('ups', ['client_id', 'previous_push_token'])).toEqual([
    'client_id',
    'client_secret',
    'push_token',
    'previous_push_token',
  ]);
  expect([isOptional('ups', 'client_id'), isOptional('ups', 'push_token'), isOptional('other', 'x')]).toEqual([false, false, true]);
});

const connection = {
  source: 'dhl',
  carriers: ['dhl'],
  credential_names: ['key', 'push_token'],
  limits: { calls_per_day: 5000 },
} as unknown as CarrierConnection;

describe('the body', () => {
  test('of a new connection has what is filled in', () => {
    const values = { ...valuesOfConnection(undefined), carriers: 'ups, dhl', credentials: { key: 'k', other: '' } };
    expect(creationOfConnection(values)).toEqual({ source: '17track', carriers: ['ups', 'dhl'], credentials: { key: 'k' } });
  });

  test('of a change has only what is different, and null for what is removed', () => {
    const values = valuesOfConnection(connection);
    expect(changeOfConnection(values, connection)).toEqual({});
    expect(changeOfConnection({ ...values, credentials: { key: 'n' }, removed: ['push_token'] }, connection)).toEqual({
      credentials: { key: 'n', push_token: null },
    });
    const limits = { requests_per_second: '', calls_per_day: '', fetches_per_parcel_per_day: '' };
    expect(changeOfConnection({ ...values, limits, carriers: 'DHL' }, connection)).toEqual({ carriers: ['DHL'], limits: null });
  });
});
