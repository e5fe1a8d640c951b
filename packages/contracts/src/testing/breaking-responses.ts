import { type PlantedChanges, route, schema, without } from './plant-change.ts';

/** Changes that break callers and receivers by what is written → the ids that must be found, all of them and no others. */
export const breakingResponses: PlantedChanges = {
  'a field that is gone from a response': [
    schema('WeighingData', (found) => {
      delete found.properties.weight_kg;
      found.required = without(found.required, 'weight_kg');
    }),
    [
      'GET /open/v1/forecasts/weighing, response: data.weight_kg removed',
      'POST /open/v1/forecasts/query, response: data.results[].data.weighing.weight_kg removed',
      'webhook parcel.weighed: data.weighing.weight_kg removed',
    ],
  ],
  'a field of a response that becomes optional': [
    schema('WeighingData', (found) => {
      found.required = without(found.required, 'weighing_images');
    }),
    [
      'GET /open/v1/forecasts/weighing, response: data.weighing_images required',
      'POST /open/v1/forecasts/query, response: data.results[].data.weighing.weighing_images required',
      'webhook parcel.weighed: data.weighing.weighing_images required',
    ],
  ],
  'a field of a response that may be null': [
    schema('UploadedFile', (found) => {
      found.properties.url = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    }),
    ['POST /open/v1/files/pdf, response: data.url type'],
  ],
  'another type in a response': [
    schema('WeighingImage', (found) => {
      found.properties.id.type = 'string';
    }),
    [
      'GET /open/v1/forecasts/weighing, response: data.weighing_images[].id type',
      'POST /open/v1/forecasts/query, response: data.results[].data.weighing.weighing_images[].id type',
      'webhook parcel.weighed: data.weighing.weighing_images[].id type',
    ],
  ],
  'a longer list in a response': [
    schema('TrackingNode', (found) => found.properties.admin_status.enum.push('Lost at sea')),
    [
      'GET /open/v1/forecasts/tracking, response: data.nodes[].admin_status enum "Lost at sea"',
      'GET /open/v1/forecasts/tracking, response: data.shipments[].nodes[].admin_status enum "Lost at sea"',
      'POST /open/v1/forecasts/query, response: data.results[].data.tracking.nodes[].admin_status enum "Lost at sea"',
      'POST /open/v1/forecasts/query, response: data.results[].data.tracking.shipments[].nodes[].admin_status enum "Lost at sea"',
      'webhook tracking.changed: data.tracking.nodes[].admin_status enum "Lost at sea"',
      'webhook tracking.changed: data.tracking.shipments[].nodes[].admin_status enum "Lost at sea"',
    ],
  ],
  'an open value in place of a list in a response': [
    schema('TrackingNode', (found) => delete found.properties.admin_status.enum),
    [
      'GET /open/v1/forecasts/tracking, response: data.nodes[].admin_status enum',
      'GET /open/v1/forecasts/tracking, response: data.shipments[].nodes[].admin_status enum',
      'POST /open/v1/forecasts/query, response: data.results[].data.tracking.nodes[].admin_status enum',
      'POST /open/v1/forecasts/query, response: data.results[].data.tracking.shipments[].nodes[].admin_status enum',
      'webhook tracking.changed: data.tracking.nodes[].admin_status enum',
      'webhook tracking.changed: data.tracking.shipments[].nodes[].admin_status enum',
    ],
  ],
  'another HTTP status of success': [
    route('GET /open/v1/warehouses', ({ responses }) => {
      responses[202] = responses[200];
      delete responses[200];
    }),
    ['GET /open/v1/warehouses, response: status 202'],
  ],
  'a header that is gone from a response': [
    route('POST /open/v1/forecasts', ({ responses }) => delete responses[200].headers['Idempotent-Replayed']),
    ['POST /open/v1/forecasts, response: 200 header Idempotent-Replayed removed'],
  ],
  'an envelope without message': [
    schema('WarehouseListEnvelope', (found) => {
      found.required = ['code', 'data'];
    }),
    ['GET /open/v1/warehouses, response: message required'],
  ],
  'a code that comes with another status': [
    route('GET /open/v1/forecasts/{po_number}', ({ responses }) => {
      responses[410] = responses[404];
      delete responses[404];
    }),
    ['GET /open/v1/forecasts/{po_number}, response: code 40401 status'],
  ],
  'a removed webhook': [({ openapi }) => delete openapi.webhooks['tracking.changed'], ['webhook tracking.changed: removed']],
  'a field that is gone from a webhook': [
    schema('ParcelWeighedData', (found) => {
      delete found.properties.event_seq;
      found.required = without(found.required, 'event_seq');
    }),
    ['webhook parcel.weighed: data.event_seq removed'],
  ],
  'a header that is gone from a webhook': [
    ({ openapi }) => {
      openapi.webhooks['parcel.weighed'].post.parameters.shift();
    },
    ['webhook parcel.weighed: header webhook-id removed'],
  ],
  'a longer list in a webhook': [
    schema('EndpointDisabledData', (found) => found.properties.reason.enum.push('unpaid')),
    ['webhook endpoint.disabled: data.reason enum "unpaid"'],
  ],
};
