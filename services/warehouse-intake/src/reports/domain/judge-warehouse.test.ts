import { describe, expect, test } from '@jest/globals';
import { context, refusalOf } from '../../testing/judging.ts';
import { report } from '../../testing/samples.ts';
import { judge } from './judge.ts';

describe('judge', () => {
  test("refuses another warehouse than the key's", () => {
    expect(refusalOf(report({ warehouse_code: 'WH2' }))).toMatchObject({
      code: '40301',
      message: 'warehouse_code is not the warehouse of this key',
    });
  });

  test('names another warehouse beside what else is wrong, under the code of the first fault', () => {
    const { code, errors } = refusalOf(report({ warehouse_code: 'WH2', occurred_at: 'yesterday' }));
    expect(code).toBe('42201');
    expect(errors.map(({ field, rule }) => [field, rule])).toEqual([
      ['occurred_at', 'format'],
      ['warehouse_code', 'foreign_warehouse'],
    ]);
    expect(refusalOf({ ...report({ type: 'lost' }), warehouse_code: 'WH2' }).errors).toHaveLength(2);
    expect(refusalOf(report({ occurred_at: 'yesterday' })).errors).toHaveLength(1);
    expect(refusalOf(report({ warehouse_code: '' })).errors).toMatchObject([{ field: 'warehouse_code', rule: 'min_length' }]);
    expect(refusalOf(report({ warehouse_code: 'WH2', occurred_at: 'yesterday' }), { warehouseCode: null }).errors).toHaveLength(1);
  });

  test('believes the warehouse where the channel is trusted to name it', () => {
    expect(judge(report({ warehouse_code: 'WH2' }), { ...context, warehouseCode: null })).toMatchObject({
      event: { warehouseCode: 'WH2' },
    });
  });
});
