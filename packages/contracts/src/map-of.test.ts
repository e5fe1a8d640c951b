import { expect, test } from '@jest/globals';
import Type from 'typebox';
import { mapOf } from './map-of.ts';
import { compileValidator } from './validator.ts';
import { EndpointCreation } from './webhook-endpoint-api.ts';

const map = compileValidator(Type.Object({ m: mapOf(Type.String(), { maxProperties: 2 }) }));

test.each(['a', '', 'a b', 'a\n', '\n', 'a\r\nb', '\u2028'])('the value under the name %j is checked', (name) => {
  expect(map.errors({ m: { [name]: 'text' } })).toEqual([]);
  expect(map.errors({ m: { [name]: -1 } })).toMatchObject([{ rule: 'type' }]);
});

test('metadata and headers of an endpoint take no number, whatever its name', () => {
  const endpoint = compileValidator(EndpointCreation);
  const url = 'https://merchant.example/hook';
  expect(endpoint.errors({ url, metadata: { 'a\n': 'text' } })).toEqual([]);
  expect(endpoint.errors({ url, metadata: { 'a\n': -1 } })).toMatchObject([{ rule: 'type' }]);
  expect(endpoint.errors({ url, headers: { 'a\n': -1 } })).toMatchObject([{ rule: 'type' }]);
});
