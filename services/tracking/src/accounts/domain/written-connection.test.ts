import { describe, expect, test } from '@jest/globals';
import { connectableSources } from '@parcelway/contracts/carrier-connection-api';
import { sourceDhl } from '../../sources/dhl/source.ts';
import { trackingSources } from '../../sources/source-list.ts';
import { sourceUps } from '../../sources/ups/source.ts';
import { changedCredentials, connectionErrors, connectionOf, sourcesFor } from './connection-input.ts';

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

const right = { source: '17track', carriers: ['UPS', 'ups', '*'], credentials: { key: 'k' } };
const errorsOf = (value: unknown) => connectionErrors(value, trackingSources).map(({ field, rule }) => [field, rule]);

describe('what somebody writes of a connection', () => {
  test('is right', () => {
    expect(errorsOf(right)).toEqual([]);
    expect(errorsOf({ ...right, id: 'a-b_C9', base_url: 'http://127.0.0.1:1/v2' })).toEqual([]);
  });

  test.each<[string, object, [string, string][]]>([
    ['an unknown source', { source: 'fedex' }, [['source', 'enum']]],
    ['no carriers', { carriers: [] }, [['carriers', 'min_items']]],
    ['a carrier with a blank', { carriers: ['a b'] }, [['carriers[0]', 'pattern']]],
    ['a missing credential', { credentials: {} }, [['credentials.key', 'required']]],
    ['a credential of another source', { credentials: { key: 'k', app_id: 'x' } }, [['credentials.app_id', 'unknown']]],
    ['a credential that is no header value', { credentials: { key: 'k\r\nx: y' } }, [['credentials.key', 'pattern']]],
    ['an address with credentials', { base_url: 'https://a:b@host/' }, [['base_url', 'pattern']]],
    ['an id that is no path', { id: '../x' }, [['id', 'pattern']]],
    ['an unknown field', { baseurl: 'https://host' }, [['baseurl', 'unknown']]],
  ])('is wrong: %s', (_what, change, expected) => {
    expect(errorsOf({ ...right, ...change })).toEqual(expected);
  });

  test('is wrong in a way that only its source knows, and shows no value', () => {
    const errors = connectionErrors({ ...right, source: 'generic', credentials: { url: 'https://s3cret.example/' } }, trackingSources);
    expect(errors).toMatchObject([{ field: 'credentials.url', rule: 'format' }]);
    expect(JSON.stringify(errors)).not.toContain('s3cret');
  });

  test('becomes a connection with each carrier once, in lower case', () => {
    const { carriers, baseUrl, connectionId } = connectionOf({ ...right, base_url: 'https://host/v2//' }, 'tnt_a', 'con_x');
    expect([carriers, baseUrl, connectionId]).toEqual([['ups', '*'], 'https://host/v2', 'con_x']);
  });
});

test('a tenant connects the sources that the contract names: those with an address of their own', () => {
  expect([...sourcesFor('tnt_a', trackingSources).keys()]).toEqual([...connectableSources]);
  expect([...sourcesFor(null, trackingSources).keys()]).toEqual([...trackingSources.keys()]);
});
