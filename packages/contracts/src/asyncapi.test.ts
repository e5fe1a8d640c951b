import { describe, expect, test } from '@jest/globals';
import { buildAsyncApi } from './asyncapi.ts';
import { domainEventTypes, topicOf } from './domain-events.ts';
import { environments } from './environment.ts';
import { DocumentProbe, type Part } from './testing/document-probe.ts';
import { PARTITIONS, topics } from './topics.ts';

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
