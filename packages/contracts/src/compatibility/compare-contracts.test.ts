import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../openapi-schemas.ts';
import { compareContracts } from './compare-contracts.ts';
import { type ContractBundle, currentContracts } from './contract-bundle.ts';
import { inWords } from './finding.ts';
import { judgeContracts } from './released.ts';

/* Changes planted in the real contracts, and what the comparison says of each. */

// biome-ignore lint/suspicious/noExplicitAny: documents are reached into by hand
type Loose = any;
interface Bundle {
  openapi: Loose;
  asyncapi: Loose;
  keys: Record<string, string>;
}
type Edit = (bundle: Bundle) => void;

const before = currentContracts('1.0.0');

function after(edit: Edit): ContractBundle {
  const copy = structuredClone(before);
  edit(copy as unknown as Bundle);
  return { ...copy, version: '1.1.0' };
}
const compared = (edit: Edit) => compareContracts(before, after(edit));

const schema = (name: string, edit: (found: Loose) => void): Edit => {
  return ({ openapi }) => edit(openapi.components.schemas[name]);
};
const eventData = (name: string, edit: (found: Loose) => void): Edit => {
  return ({ asyncapi }) => edit(asyncapi.components.schemas[name]);
};
const route = (name: string, edit: (operation: Loose) => void): Edit => {
  const [method = '', path = ''] = name.split(' ');
  return ({ openapi }) => edit(openapi.paths[path][method.toLowerCase()]);
};
const without = (list: string[], name: string): string[] => list.filter((each) => each !== name);
const answer = (operation: Loose): Loose => operation.responses[200].content['application/json'].schema;

/** Name → edit, and the ids that must be found, all of them and no others. */
const breaking: Readonly<Record<string, readonly [Edit, readonly string[]]>> = {
  'a removed route': [({ openapi }) => delete openapi.paths['/open/v1/warehouses'], ['GET /open/v1/warehouses: removed']],
  'a new required field of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.incoterm = { type: 'string' };
      found.required.push('incoterm');
    }),
    ['POST /open/v1/forecasts, request: incoterm required'],
  ],
  'a field of a request that becomes required': [
    schema('ForecastSubmission', (found) => found.required.push('due_date')),
    ['POST /open/v1/forecasts, request: due_date required'],
  ],
  'a field that is no longer read': [
    schema('ForecastSubmission', (found) => delete found.properties.due_date),
    ['POST /open/v1/forecasts, request: due_date removed'],
  ],
  'a tighter limit of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.items.maxItems = 1000;
    }),
    ['POST /open/v1/forecasts, request: items maxItems'],
  ],
  'another pattern of a request': [
    schema('ForecastSubmission', (found) => {
      found.properties.po_number.pattern = '^[A-Z]+$';
    }),
    ['POST /open/v1/forecasts, request: po_number pattern'],
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
  'a field that is gone from an answer': [
    schema('WeighingData', (found) => {
      delete found.properties.weight_kg;
      found.required = without(found.required, 'weight_kg');
    }),
    ['GET /open/v1/forecasts/weighing, answer: data.weight_kg removed'],
  ],
  'a field of an answer that becomes optional': [
    schema('WeighingData', (found) => {
      found.required = without(found.required, 'weighing_images');
    }),
    ['GET /open/v1/forecasts/weighing, answer: data.weighing_images required'],
  ],
  'a field of an answer that may be null': [
    schema('UploadedFile', (found) => {
      found.properties.url = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    }),
    ['POST /open/v1/files/pdf, answer: data.url type'],
  ],
  'another type in an answer': [
    schema('WeighingImage', (found) => {
      found.properties.id.type = 'string';
    }),
    ['GET /open/v1/forecasts/weighing, answer: data.weighing_images[].id type'],
  ],
  'a longer list in an answer': [
    schema('TrackingNode', (found) => found.properties.admin_status.enum.push('Lost at sea')),
    ['GET /open/v1/forecasts/tracking, answer: data.nodes[].admin_status enum "Lost at sea"'],
  ],
  'an open value in place of a list in an answer': [
    schema('TrackingNode', (found) => delete found.properties.admin_status.enum),
    ['GET /open/v1/forecasts/tracking, answer: data.nodes[].admin_status enum'],
  ],
  'another HTTP status of success': [
    route('GET /open/v1/warehouses', ({ responses }) => {
      responses[202] = responses[200];
      delete responses[200];
    }),
    ['GET /open/v1/warehouses, answer: status 202'],
  ],
  'a header that is gone from an answer': [
    route('POST /open/v1/forecasts', ({ responses }) => delete responses[200].headers['Idempotent-Replayed']),
    ['POST /open/v1/forecasts, answer: 200 header Idempotent-Replayed removed'],
  ],
  'an envelope without message': [
    route('GET /open/v1/warehouses', (operation) => {
      answer(operation).required = ['code', 'data'];
    }),
    ['GET /open/v1/warehouses, answer: message required'],
  ],
  'a code that comes with another status': [
    route('GET /open/v1/forecasts/{po_number}', ({ responses }) => {
      responses[410] = responses[404];
      delete responses[404];
    }),
    ['GET /open/v1/forecasts/{po_number}, answer: code 40401 status'],
  ],
  'a removed webhook': [({ openapi }) => delete openapi.webhooks['tracking.changed'], ['webhook tracking.changed: removed']],
  'a field that is gone from a webhook': [
    schema('ParcelWeighedWebhook', (found) => {
      delete found.properties.data.properties.event_seq;
      found.properties.data.required = without(found.properties.data.required, 'event_seq');
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
    schema('EndpointDisabledWebhook', (found) => found.properties.data.properties.reason.enum.push('unpaid')),
    ['webhook endpoint.disabled: data.reason enum "unpaid"'],
  ],
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
    ['event key.revoked: partitions'],
  ],
  'a removed domain event': [({ asyncapi }) => delete asyncapi.channels.gateway, ['event key.revoked: removed']],
};

/** Name → edit, and what is listed as new. */
const harmless: Readonly<Record<string, readonly [Edit, readonly string[]]>> = {
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
  'a new field of an answer': [
    schema('WeighingData', (found) => {
      found.properties.volume = { type: 'number' };
      found.required.push('volume');
    }),
    [],
  ],
  'a shorter list in an answer': [schema('TrackingNode', (found) => found.properties.admin_status.enum.pop()), []],
  'a new code of an error, with data of its own': [
    ({ openapi }) => {
      for (const response of Object.values<Loose>(openapi.components.responses)) {
        const { properties } = response.content['application/json'].schema;
        properties.code.enum.push('49999');
        properties.data = { anyOf: [properties.data, { type: 'array', items: { type: 'string' } }] };
      }
    },
    [],
  ],
  'a new field of a webhook': [
    schema('ParcelWeighedWebhook', (found) => {
      found.properties.data.properties.scale = { type: 'string' };
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

describe('a change that breaks somebody', () => {
  test.each(Object.keys(breaking))('%s', (name) => {
    const [edit, ids] = breaking[name] as (typeof breaking)[string];
    expect(compared(edit).breaking.map(({ id }) => id)).toEqual(ids);
  });

  test('in a report of a warehouse is found in the call and on the topic, with the event that it is about', () => {
    const edit: Edit = ({ openapi, asyncapi }) => {
      for (const { components } of [openapi, asyncapi]) components.schemas.DispatchEvent.required.push('express_no');
    };
    expect(compared(edit).breaking.map(({ contract, change }) => [contract, change])).toEqual([
      ['POST /warehouse/v1/events, request', 'express_no (dispatch): is required now'],
      ['POST /warehouse/v1/events, request', 'events[].express_no (dispatch): is required now'],
      ['topic warehouse.intake.v1', 'express_no (dispatch): is required now'],
      ['topic warehouse.intake.v1', 'events[].express_no (dispatch): is required now'],
    ]);
  });

  test('is told in words: what, whom it breaks, what to do instead', () => {
    const [edit] = breaking['a wider bound of a domain event, which old consumers refuse'] as (typeof breaking)[string];
    const [found] = compared(edit).breaking;
    const words = found ? inWords(found) : '';
    expect(words).toContain('data.status: maximum: 7 → 8');
    expect(words).toContain('Breaks: services of the version before');
    expect(words).toContain('Instead: Keep what was there and add an optional field, or publish a new event type (`….v2`)');
  });
});

describe('a change that breaks nobody', () => {
  test.each(Object.keys(harmless))('%s', (name) => {
    const [edit, added] = harmless[name] as (typeof harmless)[string];
    const { breaking: found, additions } = compared(edit);
    expect(found).toEqual([]);
    expect(additions.map(({ contract }) => contract)).toEqual(added);
  });
});

describe('the verdict', () => {
  const [edit, [id = '']] = breaking['a removed webhook'] as (typeof breaking)[string];

  test('is over every release, and names those that have it otherwise', () => {
    const newest = { ...after(edit), version: '1.2.0' };
    const verdict = judgeContracts([before, newest], newest, []);
    expect(verdict.breaking.map((found) => [found.id, found.since])).toEqual([[id, ['1.0.0']]]);
  });

  test('lets an accepted change pass, and no accepted change stay that is none', () => {
    const reason = 'Nobody has it';
    expect(judgeContracts([before], after(edit), [{ id, reason }])).toMatchObject({ breaking: [], stale: [] });
    expect(judgeContracts([before], before, [{ id, reason }]).stale).toEqual([id]);
  });

  test('is refused for a keyword that nobody taught the comparison', () => {
    const odd = after(schema('WeighingData', (found: JsonObject) => Object.assign(found, { dependentRequired: {} })));
    expect(() => judgeContracts([before], odd, [])).toThrow('does not know the keyword "dependentRequired"');
  });
});
