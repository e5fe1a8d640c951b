import { describe, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { operatorRoles, operatorStates } from '@parcelway/contracts/operator-api';
import { endpointHealthStates, endpointStatuses } from '@parcelway/contracts/webhook-endpoint-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { en, type Messages } from './en.ts';
import { failureText } from './failure-text.ts';
import { zh } from './zh.ts';

function flat(words: object, path = ''): Array<readonly [path: string, value: string]> {
  return Object.entries(words).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[at, value] as const];
    return typeof value === 'function' ? [[at, `function of ${value.length}`] as const] : flat(value as object, at);
  });
}

describe('the two languages', () => {
  test('have words for the same things, and leave nothing empty', () => {
    expect(flat(zh).map(([path]) => path)).toEqual(flat(en).map(([path]) => path));
    expect([...flat(en), ...flat(zh)].filter(([, value]) => value.trim() === '')).toEqual([]);
  });

  test('differ', () => {
    const english = new Map(flat(en));
    expect(flat(zh).filter(([path, value]) => english.get(path) === value && !value.startsWith('function'))).toEqual([]);
  });
});

test.each<[string, Messages]>([
  ['English', en],
  ['Chinese', zh],
])('%s has a word for every value of the API', (_language, words) => {
  expect(Object.keys(words.roles)).toEqual([...operatorRoles]);
  expect(Object.keys(words.operators.roleHints)).toEqual([...operatorRoles]);
  expect(Object.keys(words.operators.states)).toEqual([...operatorStates]);
  expect(Object.keys(words.tenant.statuses)).toEqual(Object.keys(forecastStatuses));
  expect(Object.keys(words.tenant.endpointStates)).toEqual([...endpointStatuses]);
  expect(Object.keys(words.tenant.healthStates)).toEqual([...endpointHealthStates]);
});

test('a refusal names the role that is needed', () => {
  const failure = new ApiFailure('40301', { detail: 'x', data: { required_role: 'admin', role: 'read' } });
  expect(failureText(failure, en.failures)).toContain('It needs the role admin');
  expect(failureText(new ApiFailure('40902', { detail: 'The name li is taken' }), en.failures)).toContain('The name li is taken');
  expect(failureText(new ApiFailure('40402', { detail: 'x' }), en.failures)).toBe('The request failed. 40402 x');
});
