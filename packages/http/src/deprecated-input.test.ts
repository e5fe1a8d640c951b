import { expect, test } from '@jest/globals';
import { deprecated } from '@parcelway/contracts/deprecation';
import { deprecatedInput } from './response.ts';

const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };
const route = {
  method: 'POST',
  path: '/things/{thing_id}',
  query: { type: 'object', properties: { dry: { type: 'string', ...deprecated(deprecation) } } },
  body: { type: 'object', properties: { name: { type: 'string' }, colour: { type: 'string', ...deprecated(deprecation) } } },
};

/** The headers that the response gets to a request of the route, as Express has read it. */
function headersOf(query: object, body: object, routes = [route]): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  const setHeader = (name: string, value: unknown): void => {
    headers[name] = value;
  };
  deprecatedInput(routes)({ req: { method: 'POST', route: { path: '/things/:thing_id' }, query, body }, setHeader } as never);
  return headers;
}

test('a request that uses a deprecated field or parameter gets deprecation headers, any other does not', () => {
  const expected = {
    Deprecation: '@1793491200',
    Sunset: 'Wed, 01 Nov 2028 00:00:00 GMT',
    Link: '<https://docs.example.com/v2>; rel="deprecation"',
  };
  expect(headersOf({}, { name: 'A', colour: 'red' })).toEqual(expected);
  expect(headersOf({ dry: '1' }, { name: 'A' })).toEqual(expected);
  expect(headersOf({ other: '1' }, { name: 'A' })).toEqual({});
});

test('a route that is deprecated itself is left to the gateway', () => {
  expect(headersOf({ dry: '1' }, {}, [{ ...route, deprecated: deprecation } as never])).toEqual({});
});
