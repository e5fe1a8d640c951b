import { type DomainEventType, domainEventSchemas, domainEventTypes, topicOf } from './domain-events.ts';
import type { Environment } from './environment.ts';
import { inEnvironment } from './example-parcel.ts';
import { domainEventExamples, exampleChange, warehouseEventExamples } from './examples.ts';
import { type JsonObject, SchemaCollector } from './openapi-schemas.ts';
import { deadLetterTopic, PARTITIONS, TOPIC_RETENTION_DAYS, type Topic, topicPolicy, topics } from './topics.ts';
import { MAX_EVENTS_PER_CALL, WarehouseEvent } from './warehouse-api.ts';
import { MAX_CHANGE_BYTES, WarehouseForecastChange } from './warehouse-change.ts';

/** What a document is built for. */
export interface AsyncApiOptions {
  readonly environment: Environment;
}

const meanings: Readonly<Record<DomainEventType, string>> = {
  'forecast.accepted': 'A merchant has submitted a forecast',
  'forecast.corrected': 'A merchant has corrected a forecast',
  'forecast.cancelled': 'A merchant has cancelled a forecast',
  'forecast.report_refused':
    'A cancelled forecast has refused a report; warehouse-intake matches it again, and its photos leave the forecast',
  'forecast.images_changed': 'A merchant has put an image on a forecast, or removed one',
  'forecast.dispatched': 'The parcel of a forecast has been handed to a carrier',
  'forecast.expired': 'A forecast has been deleted because its retention has ended; its files follow',
  'forecast.files_expired': 'The retention of the PDFs and photos of a forecast has ended',
  'parcel.arrived': 'The arrival of a parcel has been recorded in its forecast',
  'parcel.weighed': 'A measurement of a parcel has been written back and can be queried',
  'parcel.photographed': 'A photo of a parcel or its content can be queried',
  'parcel.processed': 'The start of work on a parcel has been recorded in its forecast',
  'parcel.put_away': 'The put-away of the goods has been recorded in the forecast',
  'parcel.completed': 'The forecast of a parcel has reached its final status',
  'parcel.exception': 'A problem with a parcel has been recorded in its forecast',
  'parcel.held': 'A hold on a parcel has been recorded in its forecast',
  'parcel.released': 'The end of a hold has been recorded in the forecast',
  'warehouse.arrived': 'A parcel has reached the warehouse',
  'warehouse.weighed': 'A warehouse has measured a parcel',
  'warehouse.photographed': 'A warehouse has photographed a parcel or its content',
  'warehouse.processed': 'A warehouse has begun to work on a parcel',
  'warehouse.put-away': 'The goods of a parcel are on the shelf',
  'warehouse.dispatched': 'A warehouse has handed a parcel to a carrier',
  'warehouse.exception': 'A warehouse has found a problem with a parcel',
  'warehouse.held': 'A warehouse holds a parcel back',
  'warehouse.released': 'A warehouse has released a parcel that it held back',
  'tracking.changed': 'The admin_status of the newest tracking node differs from before',
  'key.revoked': 'An API key is no longer valid',
  'warehouse.opened': 'Forecasts may name a warehouse',
  'warehouse.renamed': 'A warehouse has another name',
  'warehouse.closed': 'New forecasts may no longer name a warehouse',
  'tenant.retention-changed': 'The data of a tenant is kept for another time',
  'tenant.suspended': 'The keys of a tenant open nothing for now',
};

const channels: Readonly<Record<keyof typeof topics, string>> = {
  forecast: 'Changes of forecasts. Published by the forecast service.',
  warehouse: 'What warehouses report, with the forecast that was found. Published by the warehouse-intake service.',
  tracking: 'Changes of tracking. Published by the tracking service.',
  gateway: 'Changes of keys, warehouses and tenants. Published by the gateway.',
  warehouseIntake: `Reports of warehouse systems inside the platform's network: the JSON of the HTTP call, one event or up to ${MAX_EVENTS_PER_CALL}. The warehouse_code is trusted as written. A message with bad events becomes a dead letter after its good events have been stored.`,
  warehouseExpected: `Forecasts for systems of warehouses inside the platform's network: the newest state of a forecast at each change, at most ${MAX_CHANGE_BYTES / 1024} KiB. It holds the forecasts of every warehouse and merchant: select by warehouse_code. Published by the warehouse-intake service in distributed mode, at least once; compacted by forecast_no.`,
};

/** Messages without an envelope, of the topics that systems outside the platform write to or read from. */
const plainMessages: { readonly [T in Topic]?: readonly string[] } = {
  [topics.warehouseIntake]: ['WarehouseEventsReported'],
  [topics.warehouseExpected]: ['WarehouseForecastChanged'],
};

/** Ids of the operations that are not named after their topic. */
const operationIds: { readonly [T in Topic]?: string } = {
  [topics.warehouseIntake]: 'takeReports',
  [topics.warehouseExpected]: 'publishForecastChanges',
};

const pascal = (type: string): string => type.replace(/(?:^|[.-])(\w)/g, (_match, initial: string) => initial.toUpperCase());
const text = (description: string): JsonObject => ({ type: 'string', description });

/** What the subject of an event is, where it is no forecast. */
const subjects: { readonly [T in DomainEventType]?: string } = {
  'key.revoked': 'Id of the key',
  'warehouse.opened': 'Code of the warehouse',
  'warehouse.renamed': 'Code of the warehouse',
  'warehouse.closed': 'Code of the warehouse',
  'tenant.retention-changed': 'Id of the tenant',
  'tenant.suspended': 'Id of the tenant',
};

/** A domain event in its envelope (CloudEvents 1.0.2, JSON format). */
function envelope(type: DomainEventType, environment: Environment, data: unknown): JsonObject {
  return {
    type: 'object',
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'tenantid', 'environment', 'data'],
    properties: {
      specversion: { type: 'string', const: '1.0' },
      id: text('The same for every copy of the event'),
      source: { type: 'string', pattern: '^/services/[a-z-]+$', description: 'The publisher' },
      type: { type: 'string', const: type },
      subject: text(subjects[type] ?? 'Forecast number'),
      time: { type: 'string', format: 'date-time' },
      datacontenttype: { type: 'string', const: 'application/json' },
      tenantid: text('Tenant that it is about; `warehouse:` and the code for a warehouse'),
      environment: { type: 'string', const: environment },
      traceparent: text('W3C trace context of the request or event that caused it; may be absent'),
      data,
    },
  };
}

function domainMessage(type: DomainEventType, environment: Environment, schemas: SchemaCollector): JsonObject {
  const name = `${pascal(type)}Data`;
  schemas.schemas[name] = schemas.schema(domainEventSchemas[type]);
  const example = inEnvironment(domainEventExamples[type], environment);
  return {
    name: type,
    title: type,
    summary: meanings[type],
    contentType: 'application/json',
    payload: envelope(type, environment, { $ref: `#/components/schemas/${name}` }),
    bindings: {
      kafka: { key: { type: 'string', description: 'tenantid/subject: events of one subject stay in order' }, bindingVersion: '0.5.0' },
    },
    examples: [{ name: type, summary: meanings[type], payload: example }],
  };
}

function intakeMessage(schemas: SchemaCollector): JsonObject {
  const event = schemas.schema(WarehouseEvent);
  const { arrival, weighing } = warehouseEventExamples;
  return {
    name: 'warehouse.events-reported',
    title: 'Events reported by a warehouse',
    summary: 'One event, or several as { "events": [ … ] }',
    contentType: 'application/json',
    payload: {
      anyOf: [
        event,
        {
          type: 'object',
          required: ['events'],
          properties: { events: { type: 'array', items: event, minItems: 1, maxItems: MAX_EVENTS_PER_CALL } },
        },
      ],
    },
    bindings: {
      kafka: { key: { type: 'string', description: 'Number of the parcel, so that its events stay in order' }, bindingVersion: '0.5.0' },
    },
    examples: [
      ...Object.entries(warehouseEventExamples).map(([name, payload]) => ({ name, payload })),
      { name: 'several', payload: { events: [arrival, weighing] } },
    ],
  };
}

function changeMessage(schemas: SchemaCollector): JsonObject {
  return {
    name: 'warehouse.forecast-changed',
    title: 'A forecast that a warehouse expects has changed',
    summary: 'What has changed, and the forecast as it is when the message is published',
    contentType: 'application/json',
    payload: schemas.schema(WarehouseForecastChange),
    bindings: {
      kafka: {
        key: { type: 'string', description: 'forecast_no: the last message of a key is the newest state' },
        bindingVersion: '0.5.0',
      },
    },
    examples: [{ name: 'accepted', payload: exampleChange }],
  };
}

/** AsyncAPI writes a discriminator as the bare name of the field, and knows no mapping. */
function withoutMapping(schemas: JsonObject): JsonObject {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'discriminator')
        .map(([key, inner]) => [key, copy(inner)]),
    );
  };
  return copy(schemas) as JsonObject;
}

/** Settings of a topic; the usual policy goes without saying. */
function topicConfiguration(topic: Topic): JsonObject {
  const { cleanup, retentionDays } = topicPolicy(topic);
  return { ...(cleanup !== 'delete' && { 'cleanup.policy': cleanup.split(',') }), 'retention.ms': retentionDays * 86_400_000 };
}

/** The description of topics and events as AsyncAPI 3.0, seen from the platform: it sends domain events and receives reports. */
export function buildAsyncApi({ environment }: AsyncApiOptions): JsonObject {
  const schemas = new SchemaCollector();
  const messages: JsonObject = {
    WarehouseEventsReported: intakeMessage(schemas),
    WarehouseForecastChanged: changeMessage(schemas),
  };
  for (const type of domainEventTypes) messages[pascal(type)] = domainMessage(type, environment, schemas);
  const namesOn = (topic: Topic): readonly string[] =>
    plainMessages[topic] ?? domainEventTypes.filter((type) => topicOf[type] === topic).map(pascal);
  const entries = Object.entries(topics) as [keyof typeof topics, Topic][];
  return {
    asyncapi: '3.0.0',
    info: {
      title: `Parcelway events (${environment})`,
      version: '1.0.0',
      description: `Events between the services, and the topics to which warehouse systems report. The webhooks for merchants are in \`webhooks\` of /openapi.json. Delivery is at least once, and in order per key: every consumer recognises a repeat by the id. ${PARTITIONS} partitions a topic, kept ${TOPIC_RETENTION_DAYS} days unless the channel says otherwise. A message that cannot be processed is moved to the topic with the suffix of \`${deadLetterTopic('<topic>')}\`, bytes unchanged.`,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      entries.map(([name, topic]) => [
        name,
        {
          address: topic,
          description: channels[name],
          messages: Object.fromEntries(namesOn(topic).map((message) => [message, { $ref: `#/components/messages/${message}` }])),
          bindings: {
            kafka: {
              topic,
              partitions: PARTITIONS,
              topicConfiguration: topicConfiguration(topic),
              bindingVersion: '0.5.0',
            },
          },
        },
      ]),
    ),
    operations: Object.fromEntries(
      entries.map(([name, topic]) => [
        operationIds[topic] ?? `publish${pascal(name)}Events`,
        {
          action: topic === topics.warehouseIntake ? 'receive' : 'send',
          channel: { $ref: `#/channels/${name}` },
          summary: channels[name],
          messages: namesOn(topic).map((message) => ({ $ref: `#/channels/${name}/messages/${message}` })),
        },
      ]),
    ),
    components: { messages, schemas: withoutMapping(schemas.schemas) },
  };
}
