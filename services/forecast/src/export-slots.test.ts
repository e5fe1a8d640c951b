import { expect, test } from '@jest/globals';
import { ExportSlots, MAX_EXPORTS_OF_TENANT } from './export-slots.ts';

test('a tenant has a bounded number of exports, and gets another place when one ends', () => {
  const slots = new ExportSlots();
  const places = Array.from({ length: MAX_EXPORTS_OF_TENANT }, () => slots.take('tnt_a'));
  expect(() => slots.take('tnt_a')).toThrow(expect.objectContaining({ code: '42901', retryAfterSeconds: 5 }));
  slots.take('tnt_b')();
  places[0]?.();
  expect(() => slots.take('tnt_a')).not.toThrow();
});

test('all tenants together have a bounded number', () => {
  const slots = new ExportSlots();
  const places = Array.from({ length: 20 }, (_, index) => slots.take(`tnt_${index}`));
  expect(() => slots.take('tnt_x')).toThrow(expect.objectContaining({ code: '50301' }));
  for (const give of places) give();
  expect(() => slots.take('tnt_x')).not.toThrow();
});
