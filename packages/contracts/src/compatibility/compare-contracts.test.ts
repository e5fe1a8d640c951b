import { describe, expect, test } from '@jest/globals';
import { compareContracts } from './compare-contracts.ts';
import { currentContracts } from './contract-bundle.ts';
import { inWords } from './finding.ts';
import { acceptedChanges, judgeContracts, releasedContracts } from './released.ts';

/* Changes planted in the real contracts, and the findings for each. schema-misfits.test.ts has the rules within a schema. */

// biome-ignore lint/suspicious/noExplicitAny: documents are reached into by hand
type Loose = any;
/** A change of contracts in place. */
type Edit = (bundle: { openapi: Loose; asyncapi: Loose; keys: Record<string, string> }) => unknown;
/** The name of a change, the change, and all of its findings. */
type Row = readonly [name: string, edit: Edit, ids: readonly string[]];

const before = currentContracts('1.0.0');

/** The contracts with a change, as another version. */
function after(edit: Edit) {
  const copy = structuredClone(before);
  edit(copy);
  return { ...copy, version: '1.1.0' };
}
const compared = (edit: Edit) => compareContracts(before, after(edit));

/** Changes a named schema of the API. */
const schema =
  (name: string, edit: (found: Loose) => void): Edit =>
  ({ openapi }) =>
    edit(openapi.components.schemas[name]);
/** Changes the data of a domain event. */
const eventData =
  (name: string, edit: (found: Loose) => void): Edit =>
  ({ asyncapi }) =>
    edit(asyncapi.components.schemas[name]);
/** Changes a route, named by method and path. */
const route =
  (name: string, edit: (operation: Loose) => void): Edit =>
  ({ openapi }) => {
    const [method = '', path = ''] = name.split(' ');
    edit(openapi.paths[path][method.toLowerCase()]);
  };
/** Removes a field of an object schema. */
const remove = (name: string) => (found: Loose) => {
  delete found.properties[name];
  found.required = found.required.filter((each: string) => each !== name);
};
const limitOf = ({ parameters }: Loose): Loose => parameters.find(({ name }: Loose) => name === 'limit').schema;

/** The ids of a change to the schema of a submission, in every route that takes it. */
const inSubmissions = (change: string): readonly string[] => [
  `POST /open/v1/forecasts, request: body.${change}`,
  `POST /open/v1/forecasts/validate, request: body.${change}`,
  `POST /open/v1/forecasts/batch, request: body.forecasts[].${change}`,
];
const LIST = 'GET /open/v1/forecasts';
const WAREHOUSES = 'GET /open/v1/warehouses';

const requests: readonly Row[] = [
  ['a removed route', ({ openapi }) => delete openapi.paths['/open/v1/warehouses'], [`${WAREHOUSES}: removed`]],
  ['a required field', schema('ForecastSubmission', (found) => found.required.push('due_date')), inSubmissions('due_date required')],
  [
    'another default of the query',
    route(LIST, (found) => Object.assign(limitOf(found), { default: 10 })),
    [`${LIST}, request: query.limit default`],
  ],
  [
    'a required parameter',
    route(LIST, ({ parameters }) => parameters.push({ name: 'year', in: 'query', required: true, schema: {} })),
    [`${LIST}, request: query.year required`],
  ],
  [
    'a removed parameter',
    route(LIST, (found) => Object.assign(found, { parameters: found.parameters.filter(({ name }: Loose) => name !== 'cursor') })),
    [`${LIST}, request: query.cursor removed`],
  ],
  [
    'a required body',
    route('POST /open/v1/webhook-endpoints/{endpoint_id}/test', ({ requestBody }) => Object.assign(requestBody, { required: true })),
    ['POST /open/v1/webhook-endpoints/{endpoint_id}/test, request: body required'],
  ],
  [
    'a replaced scope',
    route(LIST, (found) => Object.assign(found, { security: [{ ApiKey: ['forecasts:write'] }] })),
    [`${LIST}, request: key enum "weighing:read"`],
  ],
  [
    'a file type that is no longer accepted',
    route('POST /warehouse/v1/photos', ({ requestBody }) => {
      requestBody.content['multipart/form-data'].encoding.file.contentType = 'image/jpeg, image/png';
    }),
    ['POST /warehouse/v1/photos, request: form.files enum "image/webp"'],
  ],
];

const responses: readonly Row[] = [
  [
    'a removed field',
    schema('WeighingData', remove('weight_kg')),
    [
      'GET /open/v1/forecasts/weighing, response: 200.body.data.weight_kg removed',
      'POST /open/v1/forecasts/query, response: 200.body.data.results[].data.weighing.weight_kg removed',
      'webhook parcel.weighed: body.data.weighing.weight_kg removed',
    ],
  ],
  [
    'another HTTP status of success',
    route(WAREHOUSES, ({ responses: found }) => {
      found[202] = found[200];
      delete found[200];
    }),
    [`${WAREHOUSES}, response: 200 removed`, `${WAREHOUSES}, response: status enum "202"`],
  ],
  [
    'a removed header',
    route('POST /open/v1/forecasts', (found) => delete found.responses[200].headers['Idempotent-Replayed']),
    ['POST /open/v1/forecasts, response: 200.headers.Idempotent-Replayed removed'],
  ],
  [
    'an envelope without message',
    schema('WarehouseListEnvelope', (found) => Object.assign(found, { required: ['code', 'data'] })),
    [`${WAREHOUSES}, response: 200.body.message required`],
  ],
  [
    'an error code with another status',
    route(`${LIST}/{po_number}`, (found) => {
      found.responses[410] = found.responses[404];
      delete found.responses[404];
    }),
    [`${LIST}/{po_number}, code 40401: status enum "410"`],
  ],
  [
    'an error code whose data may lack a field',
    ({ openapi }) => Object.assign(openapi.components.responses.PreconditionFailed41201['x-error-codes'], { 41201: [] }),
    [`PATCH ${LIST.slice(4)}/{po_number}, code 41201: body.data.version required`],
  ],
  ['a removed webhook', ({ openapi }) => delete openapi.webhooks['tracking.changed'], ['webhook tracking.changed: removed']],
  [
    'a removed header of a webhook',
    ({ openapi }) => openapi.webhooks['parcel.weighed'].post.parameters.shift(),
    ['webhook parcel.weighed: headers.webhook-id removed'],
  ],
];

const WIDER = 'a wider bound, which old consumers refuse';
const events: readonly Row[] = [
  [
    'a required field',
    eventData('ParcelWeighedData', (found) => found.required.push('scale')),
    ['event parcel.weighed: data.scale required'],
  ],
  [
    WIDER,
    eventData('ParcelWeighedData', ({ properties }) => Object.assign(properties.status, { maximum: 8 })),
    ['event parcel.weighed: data.status maximum'],
  ],
  [
    'a narrower bound, which refuses events on the topic',
    eventData('ParcelWeighedData', ({ properties }) => Object.assign(properties.status, { minimum: 2 })),
    ['event parcel.weighed: data.status minimum'],
  ],
  [
    'another topic',
    ({ asyncapi }) => Object.assign(asyncapi.channels.tracking, { address: 'tracking.events.v2' }),
    ['event tracking.changed, topic: topic enum "tracking.events.v2"'],
  ],
  ['another key', ({ keys }) => Object.assign(keys, { 'key.revoked': '{tenantid}' }), ['event key.revoked, topic: key enum "{tenantid}"']],
  [
    'more partitions',
    ({ asyncapi }) => Object.assign(asyncapi.channels.tracking.bindings.kafka, { partitions: 24 }),
    ['event tracking.changed, topic: partitions enum 24'],
  ],
  ['a removed domain event', ({ asyncapi }) => delete asyncapi.channels.tracking, ['event tracking.changed: removed']],
];

describe.each(Object.entries({ requests, responses, events }))('a breaking change of %s', (_what, rows) => {
  test.each(rows)('%s', (_name, edit, ids) => {
    expect(compared(edit).breaking.map(({ id }) => id)).toEqual(ids);
  });
});

test('a changed warehouse report is found in the request and on the topic, with its event type', () => {
  const edit: Edit = ({ openapi, asyncapi }) => {
    for (const { components } of [openapi, asyncapi]) components.schemas.DispatchEvent.required.push('express_no');
  };
  expect(compared(edit).breaking.map(({ contract, change }) => [contract, change])).toEqual([
    ['POST /warehouse/v1/events, request', 'body.express_no (dispatch): is required now'],
    ['POST /warehouse/v1/events, request', 'body.events[].express_no (dispatch): is required now'],
    ['topic warehouse.intake.v1', 'express_no (dispatch): is required now'],
    ['topic warehouse.intake.v1', 'events[].express_no (dispatch): is required now'],
  ]);
});

test('a finding in words says what changed, whom it breaks and what to do instead', () => {
  const [, edit] = events.find(([name]) => name === WIDER) as Row;
  const [found] = compared(edit).breaking;
  const words = found ? inWords(found) : '';
  expect(words).toContain('data.status: maximum: 7 → 8');
  expect(words).toContain('Breaks: services of the other version');
  expect(words).toContain('Instead: Keep what was there and add an optional field, or publish a new event type (`….v2`)');
});

test.each<Row>([
  ['nothing', () => undefined, []],
  [
    'an optional field of a request',
    schema('ForecastSubmission', ({ properties }) => Object.assign(properties, { incoterm: { type: 'string' } })),
    [],
  ],
  [
    'a required field of a response',
    schema('WeighingData', (found) => {
      found.properties.volume = { type: 'number' };
      found.required.push('volume');
    }),
    [],
  ],
  [
    'an error code with its own data',
    ({ openapi }) => {
      for (const response of Object.values<Loose>(openapi.components.responses)) response['x-error-codes']['49999'] = ['colours'];
      openapi.components.schemas.ErrorData.properties.colours = { type: 'array', items: { type: 'string' } };
    },
    [],
  ],
  [
    'a domain event',
    ({ asyncapi }) => {
      asyncapi.components.messages.Lost = { name: 'parcel.lost', payload: { type: 'object' } };
      asyncapi.channels.forecast.messages.Lost = { $ref: '#/components/messages/Lost' };
    },
    ['event parcel.lost'],
  ],
  [
    'a route and a webhook',
    ({ openapi }) => {
      openapi.paths['/open/v2/forecasts'] = { get: openapi.paths['/open/v1/forecasts'].get };
      openapi.webhooks['parcel.lost'] = openapi.webhooks['parcel.weighed'];
    },
    ['GET /open/v2/forecasts', 'webhook parcel.lost'],
  ],
])('adding %s breaks nothing', (_name, edit, added) => {
  const { breaking, additions } = compared(edit);
  expect([breaking, additions.map(({ contract }) => contract)]).toEqual([[], added]);
});

describe('the verdict', () => {
  const edit: Edit = ({ openapi }) => delete openapi.webhooks['tracking.changed'];
  const id = 'webhook tracking.changed: removed';

  test('is over every release, and names those that have it otherwise', () => {
    const newest = { ...after(edit), version: '1.2.0' };
    expect(judgeContracts([before, newest], newest, []).breaking.map((found) => [found.id, found.since])).toEqual([[id, ['1.0.0']]]);
  });

  test('lets an accepted change pass, and no accepted change stay that is none', () => {
    const reason = 'Nobody has it';
    expect(judgeContracts([before], after(edit), [{ id, reason }])).toMatchObject({ breaking: [], stale: [] });
    expect(judgeContracts([before], before, [{ id, reason }]).stale).toEqual([id]);
  });

  test('is refused for a keyword that nobody taught the comparison', () => {
    const odd = after(schema('WeighingData', (found) => Object.assign(found, { dependentRequired: {} })));
    expect(() => judgeContracts([before], odd, [])).toThrow('does not know the keyword "dependentRequired"');
  });
});

const verdict = judgeContracts(releasedContracts(), currentContracts('today'), acceptedChanges());

test('the contracts break nobody who keeps to a released version (docs/contracts.md says what to do)', () => {
  if (verdict.breaking.length === 0) return;
  throw new Error(`${verdict.breaking.length} changes of contracts break somebody:\n\n${verdict.breaking.map(inWords).join('\n\n')}\n`);
});

test('every accepted change has a reason and is still one', () => {
  expect(verdict.stale).toEqual([]);
  for (const { reason } of acceptedChanges()) expect(reason.length).toBeGreaterThan(20);
});
