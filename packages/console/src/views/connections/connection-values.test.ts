import { expect, test } from '@jest/globals';
import { type CarrierConnection, ConnectionLimits, connectableSources } from '@parcelway/contracts/carrier-connection-api';
import { changeIn, valuesIn } from '../../data/body.ts';
import { connectionFields, credentialNames, isOptional, limitNames, sourceNames } from './connection-values.ts';

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

test('a change has null for a credential that is removed, and for limits that are standard again', () => {
  const values = valuesIn(connectionFields, connection);
  expect(changeIn(connectionFields, values, connection)).toEqual({});
  const limits = { requests_per_second: '', calls_per_day: '', fetches_per_parcel_per_day: '' };
  const credentials = { key: 'n', push_token: null };
  expect(changeIn(connectionFields, { ...values, credentials, limits }, connection)).toEqual({ credentials, limits: null });
  const fast = { ...limits, requests_per_second: 'fast', calls_per_day: ' 5' };
  expect(changeIn(connectionFields, { ...values, limits: fast }, connection)).toEqual({
    limits: { requests_per_second: 'fast', calls_per_day: 5 },
  });
});
