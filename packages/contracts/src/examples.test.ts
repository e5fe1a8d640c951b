import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { domainEventExamples, exampleSubjects } from './domain-event-examples.ts';
import { domainEventTypes } from './domain-events.ts';
import { encodeEvent } from './encode-event.ts';
import { exampleParcel } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';
import { routeExamples } from './route-examples.ts';
import { routes } from './routes.ts';
import type { ListenResult } from './sandbox-api.ts';
import { normaliseTrackingNumber } from './tracking-number.ts';
import { compileValidator } from './validator.ts';
import { WarehouseEvent, warehouseEventTypes } from './warehouse-api.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';
import { webhookBodies } from './webhook-bodies.ts';
import { sentEventTypes } from './webhook-event-types.ts';
import { webhookExamples } from './webhook-examples.ts';

describe('examples', () => {
  test('there is one of each domain event, warehouse event, webhook and route, and none besides', () => {
    expect(Object.keys(domainEventExamples).sort()).toEqual([...domainEventTypes].sort());
    expect(Object.keys(warehouseEventExamples).sort()).toEqual([...warehouseEventTypes].sort());
    expect(Object.keys(webhookExamples).sort()).toEqual([...sentEventTypes].sort());
    expect(Object.keys(routeExamples).sort()).toEqual(routes.map((route) => route.id).sort());
  });

  test.each(domainEventTypes)('%s is a valid event about its subject', (type) => {
    const example = domainEventExamples[type];
    expect(encodeEvent(example).key).toBe(`${exampleParcel.tenantId}/${exampleSubjects[type] ?? exampleParcel.forecastNo}`);
    expect(example.id).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test.each(warehouseEventTypes)('the report of %s is valid', (type) => {
    expect(compileValidator(WarehouseEvent).errors(warehouseEventExamples[type])).toEqual([]);
  });

  test.each(sentEventTypes)('the body of %s is valid', (type) => {
    expect(compileValidator(webhookBodies[type]).errors(webhookExamples[type])).toEqual([]);
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
