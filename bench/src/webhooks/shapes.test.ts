import { describe, expect, test } from '@jest/globals';
import { behaviourOf, loadsOf, shapeNames } from './shapes.ts';

describe('loadsOf', () => {
  test('A has two rates, the others one', () => {
    expect(loadsOf('A').map(({ name }) => name)).toEqual(['A, 50/s', 'A, 200/s']);
    expect(shapeNames.slice(1).map((shape) => loadsOf(shape).length)).toEqual([1, 1, 1, 1]);
  });

  test('D is B with 1 % of the endpoints hanging and 5 % failing; E is B with a kill', () => {
    const [b, d, e] = [loadsOf('B')[0], loadsOf('D')[0], loadsOf('E')[0]];
    expect(d).toMatchObject({ perSecond: b?.perSecond, tenants: b?.tenants, hanging: 10, failing: 50 });
    expect(e).toMatchObject({ perSecond: b?.perSecond, tenants: b?.tenants, hanging: 0, failing: 0, kill: true });
  });
});

test('behaviourOf gives as many endpoints of each kind as the load says', () => {
  const load = { hanging: 2, failing: 3 };
  const behaviours = Array.from({ length: 10 }, (_, tenant) => behaviourOf(load, tenant));
  expect(behaviours).toEqual(['hang', 'hang', 'fail', 'fail', 'fail', 'ok', 'ok', 'ok', 'ok', 'ok']);
});
