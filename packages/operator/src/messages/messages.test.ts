import { expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { operatorRoles, operatorStates } from '@parcelway/contracts/operator-api';
import { endpointHealthStates, endpointStatuses } from '@parcelway/contracts/webhook-endpoint-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { failureText } from './failure-text.ts';
import { en, type Messages, zh } from './words.ts';

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
  expect(failureText(failure, en)).toContain('It needs the role admin');
  expect(failureText(new ApiFailure('40902', { detail: 'The name li is taken' }), en)).toContain('The name li is taken');
  expect(failureText(new ApiFailure('40402', { detail: 'x' }), en)).toBe('The request failed. 40402 x');
});
