import { describe, expect, test } from '@jest/globals';
import { connectableSources } from '@parcelway/contracts/carrier-connection-api';
import type { OperatorConnection } from '@parcelway/contracts/operator-connection-api';
import { sourceDhl } from '../../sources/dhl/source.ts';
import { sourceGeneric } from '../../sources/generic/source.ts';
import { trackingSources } from '../../sources/source-list.ts';
import { sourceUps } from '../../sources/ups/source.ts';
import {
  changedCredentials,
  connectionErrors,
  connectionOf,
  type SourceDescription,
  type SourceDescriptions,
  sourcesFor,
} from './connection-input.ts';

const SECRET = 'a-secret-that-nobody-sees';

const sources: SourceDescriptions = new Map<string, SourceDescription>([
  ['17track', { baseUrl: 'https://vendor.example', pushes: null, credentials: { required: ['key'], optional: ['previous_key'] } }],
  ['generic', sourceGeneric],
]);
const right: OperatorConnection = { source: '17track', carriers: ['*'], credentials: { key: SECRET } };
const errorsOf = (given: object) => connectionErrors({ ...right, ...given }, sources);

describe('a connection that somebody writes', () => {
  test('is right with all fields, and as short as may be', () => {
    const limits = { requests_per_second: 1000, calls_per_day: 100_000_000, fetches_per_parcel_per_day: 1 };
    const whole = { id: 'A_b-9', base_url: 'https://vendor.example/v2/', carriers: ['UPS', 'zto'], limits };
    for (const given of [{}, whole]) expect(errorsOf(given)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['id', '../../etc'],
    ['id', 'a'.repeat(65)],
    ['base_url', 'ftp://vendor.example'],
    ['base_url', 'http://user:password@vendor.example'],
    ['base_url', 'http://vendor.example/?a=b'],
    ['carriers', []],
    ['carriers', ['a b']],
    ['credentials', { key: '' }],
    ['credentials', { key: 'k'.repeat(4097) }],
    ['limits', {}],
    ['limits', { call_per_day: 5 }],
    ['limits', { requests_per_second: 0 }],
    ['limits', { calls_per_day: 100_000_001 }],
    ['more', true],
  ])('is wrong with the %s %j', (field, value) => {
    const errors = errorsOf({ [field]: value });
    expect(errors.map((error) => error.field.split(/[.[]/, 1)[0])).toContain(field);
  });

  test.each([undefined, null, 5, 'text', [], [right]])('is no connection: %j', (value) => {
    expect(connectionErrors(value, sources)).not.toEqual([]);
  });

  test('has a source that exists', () => {
    expect(errorsOf({ source: 'nobody' })).toEqual([{ field: 'source', rule: 'enum', message: 'source must be one of 17track, generic' }]);
    expect(errorsOf({ source: 'constructor' })).toMatchObject([{ field: 'source' }]);
  });

  test('has the credentials that its source takes, and errors show none of their values', () => {
    const errors = errorsOf({ credentials: { previous_key: SECRET, token: SECRET } });
    expect(errors).toEqual([
      { field: 'credentials.key', rule: 'required', message: 'credentials.key is required by 17track' },
      { field: 'credentials.token', rule: 'unknown', message: 'credentials.token is not known to 17track, which takes key, previous_key' },
    ]);
    expect(JSON.stringify(errorsOf({ credentials: { key: `${SECRET} ` } }))).not.toContain(SECRET);
  });

  test('has credentials that its source finds nothing wrong with', () => {
    expect(errorsOf({ source: 'generic', credentials: { url: 'file:///etc' } })).toMatchObject([
      { field: 'credentials.url', rule: 'format' },
    ]);
    // The source looks at credentials of the right names alone.
    expect(errorsOf({ source: 'generic', credentials: { key: 'k' } }).map(({ rule }) => rule)).toEqual(['required', 'unknown']);
  });
});

test('the connection in an input has each carrier once in lower case, and an address without slashes at the end', () => {
  const input = { ...right, carriers: ['UPS', 'ups', 'Dhl'], base_url: 'http://127.0.0.1:1/v2//' };
  expect(connectionOf(input, null, 'x')).toMatchObject({ connectionId: 'x', carriers: ['ups', 'dhl'], baseUrl: 'http://127.0.0.1:1/v2' });
  expect(connectionOf({ ...right, id: 'mine' }, null, 'x')).toMatchObject({ connectionId: 'mine', baseUrl: null, limits: null });
});

const former = { key: 'k1', push_token: 't1' };

test.each<[string, Record<string, string | null>, Record<string, string>]>([
  ['what is not named stays', { key: 'k2' }, { key: 'k2', push_token: 't1' }],
  ['a new secret of pushes leaves the former one valid', { push_token: 't2' }, { key: 'k1', push_token: 't2', previous_push_token: 't1' }],
  ['the same secret again changes nothing', { push_token: 't1' }, former],
  [
    'the former secret may be named',
    { push_token: 't2', previous_push_token: 'x' },
    { key: 'k1', push_token: 't2', previous_push_token: 'x' },
  ],
  ['the former secret may be left out', { push_token: 't2', previous_push_token: null }, { key: 'k1', push_token: 't2' }],
  ['a name that is not known stays for the validation', { token: 'x' }, { ...former, token: 'x' }],
])('%s', (_what, changes, expected) => {
  expect(changedCredentials(former, changes, sourceDhl)).toEqual(expected);
});

test('a rotation ends when the former secret is removed; a secret goes with its former value', () => {
  const rotating = { ...former, previous_push_token: 't0' };
  expect(changedCredentials(rotating, { previous_push_token: null }, sourceDhl)).toEqual(former);
  expect(changedCredentials(rotating, { push_token: null }, sourceDhl)).toEqual({ key: 'k1' });
  expect(changedCredentials(rotating, { push_token: 't2' }, sourceDhl)).toEqual({ key: 'k1', push_token: 't2', previous_push_token: 't1' });
});

test('the first secret has no former one, and a secret that proves no push gets no companion', () => {
  expect(changedCredentials({ key: 'k1' }, { push_token: 't1' }, sourceDhl)).toEqual(former);
  expect(changedCredentials({ client_id: 'i', client_secret: 's1' }, { client_secret: 's2' }, sourceUps)).toEqual({
    client_id: 'i',
    client_secret: 's2',
  });
});

test('a tenant connects the sources that the contract names: those with an address of their own', () => {
  expect([...sourcesFor('tnt_a', trackingSources).keys()]).toEqual([...connectableSources]);
  expect([...sourcesFor(null, trackingSources).keys()]).toEqual([...trackingSources.keys()]);
});
