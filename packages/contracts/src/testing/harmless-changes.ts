import { eventData, type Loose, type PlantedChanges, schema, without } from './plant-change.ts';

/** Changes that break nobody → what is listed as new. */
export const harmlessChanges: PlantedChanges = {
  nothing: [() => undefined, []],
  'a new optional field of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.incoterm = { type: 'string', enum: ['DAP', 'DDP'] };
    }),
    [],
  ],
  'a field of a request that becomes optional': [
    schema('ForecastSubmission', (found) => {
      found.required = without(found.required, 'warehouse_code');
    }),
    [],
  ],
  'a longer list and a wider limit of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.items.maxItems = 5000;
      found.properties.po_number.maxLength = 128;
    }),
    [],
  ],
  'a new field of a response': [
    schema('WeighingData', (found) => {
      found.properties.volume = { type: 'number' };
      found.required.push('volume');
    }),
    [],
  ],
  'a shorter list in a response': [schema('TrackingNode', (found) => found.properties.admin_status.enum.pop()), []],
  'a new code of an error, with data of its own': [
    ({ openapi }) => {
      for (const response of Object.values<Loose>(openapi.components.responses)) {
        response['x-error-codes']['49999'] = ['colours'];
      }
      openapi.components.schemas.ErrorData.properties.colours = { type: 'array', items: { type: 'string' } };
    },
    [],
  ],
  'a new field of a webhook': [
    schema('ParcelWeighedData', (found) => {
      found.properties.scale = { type: 'string' };
    }),
    [],
  ],
  'a new optional field of a domain event': [
    eventData('ParcelWeighedData', (found) => {
      found.properties.scale = { type: 'string' };
    }),
    [],
  ],
  'a new domain event': [
    ({ asyncapi }) => {
      asyncapi.components.messages.Lost = { name: 'parcel.lost', payload: { type: 'object' } };
      asyncapi.channels.forecast.messages.Lost = { $ref: '#/components/messages/Lost' };
    },
    ['event parcel.lost'],
  ],
  'a new route and a new webhook': [
    ({ openapi }) => {
      openapi.paths['/open/v2/forecasts'] = { get: openapi.paths['/open/v1/forecasts'].get };
      openapi.webhooks['parcel.lost'] = openapi.webhooks['parcel.weighed'];
    },
    ['GET /open/v2/forecasts', 'webhook parcel.lost'],
  ],
};
