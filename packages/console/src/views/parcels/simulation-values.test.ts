import { expect, test } from '@jest/globals';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { simulationSteps as steps } from '@parcelway/contracts/sandbox-api';
import {
  carrierStatuses,
  FIRST_SIMULATION,
  firstSimulation,
  hasText,
  isOutOfTurn,
  simulationOf,
  simulationSteps,
} from './simulation-values.ts';

test('steps and statuses are those of the contract', () => {
  expect(simulationSteps).toEqual([...steps]);
  expect(carrierStatuses).toEqual([...adminStatuses]);
});

test.each([
  ['arrive', {}],
  ['weigh', { weight_kg: 1.25, length_cm: 30, width_cm: 20, height_cm: 10 }],
  ['track', { admin_status: 'In Transit', content: 'On its way' }],
  ['hold', { hold_reason: 'On its way' }],
  ['release', {}],
] as const)('%s has what belongs to it', (step, fields) => {
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step, text: ' On its way ' })).toEqual({ po_number: 'PO-1', step, ...fields });
});

test.each([
  [1, 2, 'arrive'],
  [3, 2, 'process'],
  [4, 1, 'put_away'],
  [4, 2, 'dispatch'],
  [7, 2, 'arrive'],
])('for status %d and type %d the step that comes next is chosen', (status, forecast_type, step) => {
  expect(firstSimulation({ status, forecast_type } as Parameters<typeof firstSimulation>[0]).step).toBe(step);
});

test('what would be refused is out of turn', () => {
  const steps = (status: number, on_hold: boolean) => simulationSteps.filter((step) => isOutOfTurn(step, { status, on_hold } as never));
  expect([steps(1, false), steps(5, true)]).toEqual([['track', 'release'], []]);
});

test('a measure that is no number goes as it is typed, an empty one not at all', () => {
  const measures = { ...FIRST_SIMULATION.measures, weight_kg: 'heavy', length_cm: '' };
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step: 'weigh', measures })).toMatchObject({ weight_kg: 'heavy', width_cm: 20 });
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step: 'weigh', measures })).not.toHaveProperty('length_cm');
  expect([hasText('exception'), hasText('dispatch')]).toEqual([true, false]);
});
