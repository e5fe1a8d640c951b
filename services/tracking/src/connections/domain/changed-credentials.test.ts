import { expect, test } from '@jest/globals';
import { sourceDhl } from '../../sources/dhl/source.ts';
import { sourceUps } from '../../sources/ups/source.ts';
import { changedCredentials } from './changed-credentials.ts';

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
