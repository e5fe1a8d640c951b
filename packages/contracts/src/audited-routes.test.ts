import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import { auditedRoutes, unauditedRoutes } from './audited-routes.ts';
import { CarrierDetectionQuery } from './carrier-api.ts';
import { detectCarriers } from './carrier-detection/detect.ts';
import { deprecated, deprecatedFields, deprecationHeaders, hasField } from './deprecation.ts';
import { domainEventSchemas, domainEventTypes } from './domain-events.ts';
import { encodeEvent } from './encode-event.ts';
import { exampleParcel } from './example-parcel.ts';
import { domainEventExamples, type RouteExample, routeExamples, warehouseEventExamples, webhookExamples } from './examples.ts';
import { ForecastDetail } from './forecast-api.ts';
import { ForecastCorrection, fixedFields } from './forecast-correction-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { formatMessages } from './formats.ts';
import { buildOpenApi } from './openapi.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { routeOf, routes } from './routes.ts';
import type { ListenResult } from './sandbox-api.ts';
import { DocumentProbe } from './testing/document-probe.ts';
import { patternMessages, TEXT_PATTERN } from './text.ts';
import { normaliseTrackingNumber } from './tracking-number.ts';
import { compileValidator } from './validator.ts';
import { warehouseEventTypes } from './warehouse-api.ts';
import { sentEventTypes } from './webhook-event-types.ts';

describe('what the audit log knows', () => {
  test('every route by which a tenant changes something is audited, or it is said that it is not', () => {
    const changing = routes.filter(({ access, method }) => access === 'tenant' && method !== 'GET').map(({ id }) => id);
    expect([...Object.keys(auditedRoutes), ...unauditedRoutes].sort()).toEqual(changing.sort());
  });

  test.each(Object.entries(auditedRoutes))('%s names its resource by what the route has', (id, { id: named }) => {
    const route = routeOf(id);
    const { properties = {} } = route.data as { properties?: object };
    if ('parameter' in named) expect(pathParameters(route.path)).toContain(named.parameter);
    else expect(Object.keys(properties)).toContain(named.created);
  });
});

const validator = compileValidator(CarrierDetectionQuery);

describe('the query of the detection of carriers', () => {
  test.each(['ABCD', '1Z\u00a0999\u200bAA1\u201001234\u00ad56784\u200e', `${'- '.repeat(68)}${'9'.repeat(64)}`])(
    'takes %j',
    (tracking_number) => {
      expect(validator.errors({ tracking_number })).toEqual([]);
    },
  );

  test.each(['', '1\u200b2\u20113', '9'.repeat(65), '1Z999AA1\n0123456784'])('refuses %j, and says what is allowed', (tracking_number) => {
    const rule = /\p{Cc}/u.test(tracking_number) ? patternMessages[TEXT_PATTERN] : formatMessages['logistics-number'];
    const message = `tracking_number ${rule}`;
    expect(validator.errors({ tracking_number })).toEqual([{ field: 'tracking_number', rule: 'pattern', message }]);
  });
});

test('the example is what the detection finds', () => {
  const { query, data } = routeExamples['detectCarriers'] ?? {};
  expect(validator.errors(query)).toEqual([]);
  const candidates = detectCarriers(String(query?.['tracking_number'])).map(({ carrierCode, carrierName, confidence, reason }) => ({
    carrier_code: carrierCode,
    carrier_name: carrierName,
    confidence,
    reason,
  }));
  expect(data).toEqual({ ...query, candidates });
});

test('every field of a submission can be corrected, but for the fixed ones', () => {
  expect([...Object.keys(ForecastCorrection.properties), ...fixedFields].sort()).toEqual(Object.keys(ForecastSubmission.properties).sort());
});

test.each([
  ['the response of a forecast', ForecastDetail],
  ['the event of its acceptance', domainEventSchemas['forecast.accepted']],
  ['the event of its correction', domainEventSchemas['forecast.corrected']],
])('%s has every field of a submission', (_what, { properties }) => {
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(ForecastSubmission.properties)));
});

const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };

const sentence = 'Deprecated since 2026-11-01; may be gone from 2028-11-01 on. What to use instead: https://docs.example.com/v2';

test('the headers of a deprecation are as their standards have them, and made once', () => {
  const headers = deprecationHeaders(deprecation);
  expect(headers).toEqual([
    ...['Deprecation', '@1793491200'],
    ...['Sunset', 'Wed, 01 Nov 2028 00:00:00 GMT'],
    ...['Link', '<https://docs.example.com/v2>; rel="deprecation"'],
  ]);
  expect(deprecationHeaders(deprecation)).toBe(headers);
  expect(deprecationHeaders({ since: '2026-11-01', link: 'https://docs.example.com' })).not.toContain('Sunset');
});

const Line = Type.Object({ sku: Type.String(), colour: Type.Optional(Type.String({ description: 'Colour', ...deprecated(deprecation) })) });

const body = Type.Object({ name: Type.String(), lines: Type.Optional(Type.Array(Line)) }, { $id: 'Planted' });

test('a deprecated field is found wherever it is, and still validated', () => {
  const [field, ...others] = deprecatedFields(body);
  expect(others).toEqual([]);
  expect(field).toEqual({ path: ['lines', '[]', 'colour'], deprecation });
  const { path = [] } = field ?? {};
  expect(hasField({ lines: [{ sku: 'A' }, { sku: 'B', colour: 'red' }] }, path)).toBe(true);
  for (const without of [{ lines: [{ sku: 'A' }] }, { lines: 'colour' }, { colour: 'red' }, null])
    expect(hasField(without, path)).toBe(false);
  expect(compileValidator(body).errors({ name: 'N', lines: [{ sku: 'A', colour: 5 }] })).toMatchObject([{ field: 'lines[0].colour' }]);
});

describe('the OpenAPI document', () => {
  const planted: RouteDefinition = {
    ...routeOf('submitForecast'),
    deprecated: deprecation,
    body,
    query: Type.Object({ dry: Type.Optional(Type.String({ description: 'Dry run', ...deprecated(deprecation) })) }),
  };
  const options = { environment: 'sandbox', baseUrl: 'https://api.example.test' } as const;
  const probe = new DocumentProbe(buildOpenApi(options, [planted]));

  test('says of a route and of a field that they are deprecated, and of the headers', () => {
    const operation = probe.at('#/paths/~1open~1v1~1forecasts/post');
    expect(operation).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(sentence),
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'dry', deprecated: true, description: `Dry run. ${sentence}` })]),
    });
    const { headers } = probe.at('#/paths/~1open~1v1~1forecasts/post/responses/200');
    expect(headers).toMatchObject({ Deprecation: { $ref: '#/components/headers/Deprecation' }, Sunset: {} });
    const text = JSON.stringify(probe.root);
    expect(text).toContain(`"description":"Colour. ${sentence}","deprecated":true`);
    expect(text).not.toContain('x-deprecation');
  });

  test('says nothing of the kind today', () => {
    const text = JSON.stringify(buildOpenApi(options));
    expect(text).not.toContain('"deprecated"');
    expect(text).not.toContain('"Sunset"');
  });
});

describe('examples', () => {
  test('there is one of each domain event, warehouse event, webhook and route, and none besides', () => {
    expect(Object.keys(domainEventExamples).sort()).toEqual([...domainEventTypes].sort());
    expect(Object.keys(warehouseEventExamples).sort()).toEqual([...warehouseEventTypes].sort());
    expect(Object.keys(webhookExamples).sort()).toEqual([...sentEventTypes].sort());
    expect(Object.keys(routeExamples).sort()).toEqual(routes.map((route) => route.id).sort());
  });

  test.each(domainEventTypes)('%s is a valid event about its subject', (type) => {
    const example = domainEventExamples[type];
    const { forecast_no, key_id, warehouse_code, tenant_id } = example.data as Readonly<Record<string, string>>;
    expect(encodeEvent(example).key).toBe(`${exampleParcel.tenantId}/${forecast_no ?? key_id ?? warehouse_code ?? tenant_id}`);
    expect(example.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(Object.keys(domainEventSchemas[type].properties)).toEqual(expect.arrayContaining(Object.keys(example.data)));
  });

  test.each(routes.map((route) => [route.id, route] as const))('%s: bodies and response are valid', (id, route) => {
    const example = routeExamples[id];
    const bodies = Object.values(example?.requests ?? {});
    if (example?.query) expect(compileValidator(route.query as NonNullable<typeof route.query>).errors(example.query)).toEqual([]);
    if (route.body === undefined || route.body === 'multipart') {
      expect(bodies).toEqual([]);
    } else {
      expect(bodies.length).toBeGreaterThan(0);
      for (const body of bodies) expect(compileValidator(route.body).errors(body)).toEqual([]);
    }
    if (typeof route.data === 'string') expect(example?.data).toBeUndefined();
    else expect(compileValidator(route.data).errors(example?.data)).toEqual([]);
  });

  test('have no empty warnings where the response leaves them out', () => {
    const optional = routes.filter(({ data }) => {
      const { properties, required = [] } = data as { properties?: Record<string, unknown>; required?: string[] };
      return properties?.['warnings'] !== undefined && !required.includes('warnings');
    });
    expect(optional.length).toBeGreaterThan(5);
    const shown = optional.filter(({ id }) => (routeExamples[id]?.data as { warnings?: unknown[] } | undefined)?.warnings?.length === 0);
    expect(shown.map(({ id }) => id)).toEqual([]);
  });

  test('the webhook that a listener gets is signed with the secret beside it', () => {
    const { secret, messages } = (routeExamples['listen'] as RouteExample).data as ListenResult;
    const { headers, body, event_id } = messages[0] as ListenResult['messages'][number];
    expect([headers['webhook-id'], JSON.parse(body).data.event_id]).toEqual([event_id, event_id]);
    const signature = createHmac('sha256', Buffer.from((secret as string).slice('whsec_'.length), 'base64'))
      .update(`${event_id}.${headers['webhook-timestamp']}.${body}`)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  test('describe one parcel', () => {
    expect(normaliseTrackingNumber(exampleParcel.expressNo)).toBe(exampleParcel.trackingNumber);
    expect(warehouseEventExamples.weighing.express_no).toBe(exampleParcel.expressNo);
    expect(domainEventExamples['warehouse.weighed'].data.event_id).toBe(warehouseEventExamples.weighing.event_id);
    expect(webhookExamples['parcel.weighed'].data.event_id).toBe(domainEventExamples['parcel.weighed'].id);
  });

  test('times that the platform records are in UTC with milliseconds', () => {
    const text = JSON.stringify([routeExamples, webhookExamples, domainEventExamples]);
    // The nodes of a carrier have a local time, without the T.
    const recorded = [...text.matchAll(/"(?:[a-z_]+_time|timestamp)":"(\d{4}-\d\d-\d\dT[^"]*)"/g)].map((match) => match[1]);
    expect(recorded.length).toBeGreaterThan(10);
    expect(recorded.filter((time) => !/T\d\d:\d\d:\d\d\.\d{3}\+00:00$/.test(time as string))).toEqual([]);
  });

  test('the reports that the reference fills in can be sent as they are: in the past, without a photo of somebody else', () => {
    const text = JSON.stringify(routeExamples['reportEvents']?.requests);
    const times = [...text.matchAll(/"occurred_at":"([^"]*)"/g)].map((match) => Date.parse(match[1] as string));
    expect(times).toHaveLength(3);
    for (const time of times) expect(time).toBeLessThan(Date.parse('2026-01-01T00:00:00Z'));
    expect(text).not.toContain('photo_id');
  });
});
