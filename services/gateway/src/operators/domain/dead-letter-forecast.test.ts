import { expect, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { forecastOfDeadLetter } from './dead-letter-forecast.ts';

function deadLetter(value: unknown, topic: string = topics.forecast, group = 'tracking') {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
  return { value: bytes, topic, group };
}

const event = (type: string, data: unknown = { forecast_no: 'FC1' }, tenantid: unknown = 'tnt_a') => ({ type, tenantid, data });

test.each([
  ['forecast.accepted', topics.forecast, 'tracking'],
  ['forecast.corrected', topics.forecast, 'file'],
  ['parcel.completed', topics.forecast, 'webhook'],
  ['tracking.changed', topics.tracking, 'webhook'],
  ['warehouse.weighed', topics.warehouse, 'forecast'],
])('a dead letter of %s is about its forecast', (type, topic, group) => {
  expect(forecastOfDeadLetter(deadLetter(event(type), topic, group))).toEqual({ tenant_id: 'tnt_a', forecast_no: 'FC1' });
});

test.each([
  ['the end of a forecast', deadLetter(event('forecast.expired'))],
  ['the end of its files', deadLetter(event('forecast.files_expired'), topics.forecast, 'file')],
  ['photos of a parcel, which end when they are linked', deadLetter(event('warehouse.weighed'), topics.warehouse, 'file')],
  ['a report of a warehouse', deadLetter([{ event_id: 'e1', forecast_no: 'FC1' }], topics.warehouseIntake, 'warehouse-intake')],
  ['what is about no forecast', deadLetter(event('tenant.retention-changed', { tenant_id: 'tnt_a' }), topics.gateway, 'forecast')],
  ['a type of a later release', deadLetter(event('forecast.exploded'))],
  ['a type of another topic', deadLetter(event('forecast.accepted'), topics.tracking)],
  ['the name of a property that every object has', deadLetter(event('constructor'))],
  ['no JSON', deadLetter(Buffer.from('{'))],
  ['no value', { ...deadLetter(''), value: null }],
  ['null', deadLetter(null)],
  ['an event without data', deadLetter({ type: 'forecast.accepted', tenantid: 'tnt_a', data: null })],
  ['an event without a tenant', deadLetter(event('forecast.accepted', undefined, 7))],
  ['a name that is too long', deadLetter(event('forecast.accepted', { forecast_no: 'F'.repeat(65) }))],
])('%s may be redriven in any case', (_what, content) => {
  expect(forecastOfDeadLetter(content)).toBeUndefined();
});
