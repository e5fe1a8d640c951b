import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '@parcelway/kernel/error-codes';
import { buildAsyncApi } from './asyncapi.ts';
import { createDomainEvent, type DomainEvent } from './cloud-event.ts';
import { type DomainEventData, type DomainEventType, domainEventSchemas, domainEventTypes, topicOf } from './domain-events.ts';
import { decodeEvent, encodeEvent, partitionKey } from './encode-event.ts';
import { environments } from './environment.ts';
import { domainEventExamples } from './examples.ts';
import { DocumentProbe, type Part } from './testing/document-probe.ts';
import { PARTITIONS, topics } from './topics.ts';

const forecast = { forecast_no: 'FC261121K7Q0Z4M2XT', po_number: 'PO-1' };
const at = '2026-11-21T00:00:00.000Z';
/** Valid data of every event type. */
const examples = Object.fromEntries(domainEventTypes.map((type) => [type, domainEventExamples[type].data])) as {
  readonly [T in DomainEventType]: DomainEventData<T>;
};

/** An event of a type with its example data. */
function eventOf(type: DomainEventType, data: unknown = examples[type]): DomainEvent {
  return createDomainEvent({
    type,
    publisher: 'forecast',
    tenantId: 'tnt_1',
    environment: 'sandbox',
    subject: forecast.forecast_no,
    time: Date.parse(at),
    data: data as DomainEventData<DomainEventType>,
  });
}

/** Code of the AppError that `act` throws. */
function codeOf(act: () => unknown): ErrorCode | undefined {
  try {
    act();
  } catch (error) {
    return (error as { code?: ErrorCode }).code;
  }
  return undefined;
}

describe('an event', () => {
  test('has the CloudEvents envelope', () => {
    expect(eventOf('parcel.weighed')).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      source: '/services/forecast',
      type: 'parcel.weighed',
      subject: forecast.forecast_no,
      time: at,
      datacontenttype: 'application/json',
      tenantid: 'tnt_1',
      environment: 'sandbox',
      data: examples['parcel.weighed'],
    });
  });

  test('keeps an id that is given, for a write that may be tried again', () => {
    const event = { type: 'key.revoked', publisher: 'gateway', tenantId: 't', environment: 'sandbox', subject: 's', time: 0 } as const;
    expect(createDomainEvent({ ...event, data: examples['key.revoked'], id: 'evt_fixed' }).id).toBe('evt_fixed');
  });
});

describe.each(domainEventTypes)('%s', (type) => {
  test('travels on its topic, keyed by tenant and parcel, and comes back as it was', () => {
    const event = eventOf(type);
    const message = encodeEvent(event);
    expect(message).toMatchObject({ topic: topicOf[type], key: `tnt_1/${forecast.forecast_no}` });
    expect(message.key).toBe(partitionKey(event));
    expect(decodeEvent(message.value)).toEqual(event);
  });

  test('is neither sent nor read without a field that its schema requires', () => {
    const [field] = domainEventSchemas[type].required as readonly string[];
    const data = Object.fromEntries(Object.entries(examples[type]).filter(([name]) => name !== field));
    expect(codeOf(() => encodeEvent(eventOf(type, data)))).toBe('50000');
    expect(codeOf(() => decodeEvent(JSON.stringify(eventOf(type, data))))).toBe('42201');
  });

  test('may carry fields that this version does not know', () => {
    const data = { ...examples[type], added_later: 1 };
    expect(decodeEvent(JSON.stringify(eventOf(type, data))).data).toEqual(data);
  });
});

describe('a message that is no event', () => {
  test.each(['', '{', 'nope', '{"a":1,}'])('is 40001 when it is no JSON: %p', (value) => {
    expect(codeOf(() => decodeEvent(value))).toBe('40001');
  });

  test.each(['null', '1', '"text"', '[]', '{}', '{"specversion":"1.0"}'])('is 42201 when it is %p', (value) => {
    expect(codeOf(() => decodeEvent(value))).toBe('42201');
  });

  const event = eventOf('key.revoked');
  test.each([
    { specversion: '0.3' },
    { id: 7 },
    { tenantid: undefined },
    { subject: null },
    { time: 1 },
    { type: undefined },
    { type: 'parcel.lost' },
    { type: 'toString' },
    { data: undefined },
    { data: 'text' },
  ])('is 42201 with %j', (change) => {
    expect(codeOf(() => decodeEvent(JSON.stringify({ ...event, ...change })))).toBe('42201');
  });
});

interface Message extends Part {
  readonly name: string;
  readonly payload: Part;
  readonly examples: readonly { readonly name: string; readonly payload: Part }[];
}

describe.each(environments)('the AsyncAPI document of %s', (environment) => {
  const probe = new DocumentProbe(buildAsyncApi({ environment }));
  const messages = (channel: Part): Message[] => Object.values(channel.messages as Part).map((part) => probe.resolve(part) as Message);
  const channels = Object.values(probe.at('#/channels')) as (Part & { readonly address: string })[];

  test('has no reference that leads nowhere, and no component that nothing refers to', () => {
    const references = new Set(probe.references());
    for (const reference of references) expect(() => probe.at(reference)).not.toThrow();
    for (const kind of ['schemas', 'messages']) {
      for (const name of Object.keys(probe.at(`#/components/${kind}`))) expect(references).toContain(`#/components/${kind}/${name}`);
    }
  });

  test('has a channel for each topic, partitioned as declared', () => {
    expect(channels.map((channel) => channel.address).sort()).toEqual(Object.values(topics).sort());
    for (const channel of channels) expect(channel.bindings).toMatchObject({ kafka: { topic: channel.address, partitions: PARTITIONS } });
  });

  test('puts every domain event on its topic', () => {
    for (const channel of channels) {
      const expected = domainEventTypes.filter((type) => topicOf[type] === channel.address);
      const named = messages(channel).map((message) => message.name);
      const plain = { [topics.warehouseIntake]: 'warehouse.events-reported', [topics.warehouseExpected]: 'warehouse.forecast-changed' };
      const name = (plain as Readonly<Record<string, string>>)[channel.address];
      expect(named).toEqual(name === undefined ? expected : [name]);
    }
  });

  test('has one operation a channel: the platform sends, and receives reports', () => {
    const operations = Object.values(probe.at('#/operations')) as { action: string; channel: Part; messages: Part[] }[];
    const seen = operations.map(({ action, channel, messages: refs }) => {
      const resolved = probe.resolve(channel);
      expect(refs.map((ref) => probe.resolve(probe.resolve(ref)))).toEqual(messages(resolved));
      return [resolved.address, action];
    });
    expect(seen.sort()).toEqual(
      Object.values(topics)
        .map((topic) => [topic, topic === topics.warehouseIntake ? 'receive' : 'send'])
        .sort(),
    );
  });

  test('shows examples that fit, each of this environment, and refuses what does not fit', () => {
    for (const { name, payload, examples } of channels.flatMap(messages)) {
      expect([name, probe.schemaErrors(payload)]).toEqual([name, []]);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect([example.name, probe.valueErrors(payload, example.payload)]).toEqual([example.name, []]);
        expect(probe.valueErrors(payload, { ...example.payload, type: 'unheard.of', events: [], forecast: null })).not.toEqual([]);
        if ('environment' in example.payload) expect(example.payload.environment).toBe(environment);
      }
    }
  });
});
