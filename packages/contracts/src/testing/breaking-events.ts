import { eventData, type PlantedChanges, without } from './plant-change.ts';

/** Changes that break services of the other version → the ids that must be found, all of them and no others. */
export const breakingEvents: PlantedChanges = {
  'a new required field of a domain event': [
    eventData('ParcelWeighedData', (found) => {
      found.properties.scale = { type: 'string' };
      found.required.push('scale');
    }),
    ['event parcel.weighed: data.scale required'],
  ],
  'a field that is gone from a domain event': [
    eventData('ForecastCancelledData', (found) => {
      delete found.properties.po_number;
      found.required = without(found.required, 'po_number');
    }),
    ['event forecast.cancelled: data.po_number removed'],
  ],
  'a wider bound of a domain event, which old consumers refuse': [
    eventData('ParcelWeighedData', (found) => {
      found.properties.status.maximum = 8;
    }),
    ['event parcel.weighed: data.status maximum'],
  ],
  'a narrower bound of a domain event, which refuses what is on the topic': [
    eventData('ParcelWeighedData', (found) => {
      found.properties.status.minimum = 2;
    }),
    ['event parcel.weighed: data.status minimum'],
  ],
  'another type in a domain event': [
    eventData('ForecastAcceptedData', (found) => {
      found.properties.forecast_id.type = 'string';
    }),
    ['event forecast.accepted: data.forecast_id type', 'event forecast.accepted: data.forecast_id type'],
  ],
  'another topic': [
    ({ asyncapi }) => {
      asyncapi.channels.tracking.address = 'tracking.events.v2';
    },
    ['event tracking.changed: topic'],
  ],
  'another key': [({ keys }) => Object.assign(keys, { 'key.revoked': '{tenantid}' }), ['event key.revoked: key']],
  'more partitions': [
    ({ asyncapi }) => {
      asyncapi.channels.gateway.bindings.kafka.partitions = 24;
    },
    [
      'event key.revoked: partitions',
      'event warehouse.opened: partitions',
      'event warehouse.renamed: partitions',
      'event warehouse.closed: partitions',
      'event tenant.retention-changed: partitions',
      'event tenant.suspended: partitions',
    ],
  ],
  'a removed domain event': [
    ({ asyncapi }) => delete asyncapi.channels.gateway,
    [
      'event key.revoked: removed',
      'event warehouse.opened: removed',
      'event warehouse.renamed: removed',
      'event warehouse.closed: removed',
      'event tenant.retention-changed: removed',
      'event tenant.suspended: removed',
    ],
  ],
};
