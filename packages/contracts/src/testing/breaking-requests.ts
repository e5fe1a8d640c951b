import { type Loose, type PlantedChanges, route, schema } from './plant-change.ts';

/** The ids of a change to the schema of a submission, in every route that takes it. */
const inSubmissions = (change: string): readonly string[] => [
  `POST /open/v1/forecasts, request: ${change}`,
  `POST /open/v1/forecasts/validate, request: ${change}`,
  `POST /open/v1/forecasts/batch, request: forecasts[].${change}`,
];

/** Changes that break callers by what is read → the ids that must be found, all of them and no others. */
export const breakingRequests: PlantedChanges = {
  'a removed route': [({ openapi }) => delete openapi.paths['/open/v1/warehouses'], ['GET /open/v1/warehouses: removed']],
  'a new required field of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.incoterm = { type: 'string' };
      found.required.push('incoterm');
    }),
    inSubmissions('incoterm required'),
  ],
  'a field of a request that becomes required': [
    schema('ForecastSubmission', (found) => found.required.push('due_date')),
    inSubmissions('due_date required'),
  ],
  'a field that is no longer read': [
    schema('ForecastSubmission', (found) => delete found.properties.due_date),
    inSubmissions('due_date removed'),
  ],
  'a tighter limit of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.items.maxItems = 1000;
    }),
    inSubmissions('items maxItems'),
  ],
  'another pattern of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.po_number.pattern = '^[A-Z]+$';
    }),
    inSubmissions('po_number pattern'),
  ],
  'a narrower list of a request': [
    schema('ReplayRequest', (found) => {
      found.properties.only.enum = ['undelivered', 'failed'];
    }),
    ['POST /open/v1/webhook-endpoints/{endpoint_id}/replay, request: only enum "all"'],
  ],
  'unknown fields that are refused': [
    schema('EndpointCreation', (found) => {
      found.additionalProperties = false;
    }),
    ['POST /open/v1/webhook-endpoints, request: additionalProperties'],
  ],
  'a lower maximum of a query parameter': [
    route('GET /open/v1/forecasts', ({ parameters }) => {
      parameters.find(({ name }: Loose) => name === 'limit').schema.maximum = 50;
    }),
    ['GET /open/v1/forecasts, request: query limit maximum'],
  ],
  'another default of a query parameter': [
    route('GET /open/v1/forecasts', ({ parameters }) => {
      parameters.find(({ name }: Loose) => name === 'limit').schema.default = 10;
    }),
    ['GET /open/v1/forecasts, request: query limit default'],
  ],
  'a new required query parameter': [
    route('GET /open/v1/forecasts', ({ parameters }) => parameters.push({ name: 'year', in: 'query', required: true, schema: {} })),
    ['GET /open/v1/forecasts, request: query year required'],
  ],
  'a removed query parameter': [
    route('GET /open/v1/forecasts', (operation) => {
      operation.parameters = operation.parameters.filter(({ name }: Loose) => name !== 'cursor');
    }),
    ['GET /open/v1/forecasts, request: query cursor removed'],
  ],
  'a body that becomes required': [
    route('POST /open/v1/webhook-endpoints/{endpoint_id}/test', ({ requestBody }) => {
      requestBody.required = true;
    }),
    ['POST /open/v1/webhook-endpoints/{endpoint_id}/test, request: body required'],
  ],
  'a scope that no longer suffices': [
    route('GET /open/v1/forecasts', (operation) => {
      operation.security = [{ ApiKey: ['forecasts:write'] }];
    }),
    ['GET /open/v1/forecasts, request: security weighing:read'],
  ],
  'a file type that is no longer taken': [
    route('POST /warehouse/v1/photos', ({ requestBody }) => {
      requestBody.content['multipart/form-data'].encoding.file.contentType = 'image/jpeg, image/png';
    }),
    ['POST /warehouse/v1/photos, request: file image/webp removed'],
  ],
};
