import { describe, expect, test } from '@jest/globals';
import { connectableSources } from '@parcelway/contracts/carrier-connection-api';
import { trackingSources } from '../../sources/source-list.ts';
import { connectionErrors, connectionOf, sourcesFor } from './connection-input.ts';

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
