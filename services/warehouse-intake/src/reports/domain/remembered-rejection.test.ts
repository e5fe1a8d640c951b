import { expect, test } from '@jest/globals';
import { MAX_KEPT_ERRORS } from '../../outcomes/domain/event-outcome.ts';
import { report } from '../../testing/samples.ts';
import { rememberedRejection } from './remembered-rejection.ts';

const fault = { field: 'type', rule: 'enum', message: 'type must be one of them' };
const rejected = (eventId: string | null, faults = 1) => ({
  index: 0,
  event_id: eventId,
  code: '42201',
  message: fault.message,
  errors: Array.from({ length: faults }, () => fault),
});

test('keeps id, owner, type and time where they can be read, and some of the faults', () => {
  const sent = report({ event_id: 'WH1/a@b:c+d' });
  expect(rememberedRejection('WH1', sent, rejected('WH1/a@b:c+d', 30))).toEqual({
    warehouseCode: 'WH1',
    eventId: 'WH1/a@b:c+d',
    type: 'arrival',
    occurredAt: sent['occurred_at'],
    code: '42201',
    errors: Array.from({ length: MAX_KEPT_ERRORS }, () => fault),
  });
  const odd = { ...sent, type: 7, occurred_at: 'yesterday' };
  expect(rememberedRejection('WH1', odd, rejected('WH1/a@b:c+d'))).toMatchObject({ type: null, occurredAt: null });
});

test('is of the warehouse that reports, and over a trusted channel of the one that is named', () => {
  const sent = report({ event_id: 'e1', warehouse_code: 'WH2' });
  expect(rememberedRejection('WH1', sent, rejected('e1'))?.warehouseCode).toBe('WH1');
  expect(rememberedRejection(null, sent, rejected('e1'))?.warehouseCode).toBe('WH2');
  for (const warehouse_code of [undefined, 7, '', ' WH2', 'x'.repeat(33)]) {
    expect(rememberedRejection(null, { ...sent, warehouse_code }, rejected('e1'))).toBeUndefined();
  }
});

test('keeps nothing under an id that is not the one that was sent', () => {
  expect(rememberedRejection('WH1', null, rejected(null))).toBeUndefined();
  expect(rememberedRejection('WH1', report({ event_id: '' }), rejected(''))).toBeUndefined();
  expect(rememberedRejection('WH1', report({ event_id: 'x'.repeat(200) }), rejected('x'.repeat(128)))).toBeUndefined();
});
