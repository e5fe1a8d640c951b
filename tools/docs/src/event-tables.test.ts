import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { topicOf } from '@parcelway/contracts/domain-events';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { eventConsumers } from './event-tables.ts';

test('the events of a topic are consumed by the services that read it', () => {
  const found = new Map<string, Set<string>>();
  for (const [type, services] of eventConsumers(fileURLToPath(new URL('../../..', import.meta.url)))) {
    const topic = found.get(topicOf[type]) ?? new Set();
    found.set(topicOf[type], topic);
    for (const service of services) topic.add(service);
  }
  for (const [topic, services] of found) {
    expect([topic, [...services].sort()]).toEqual([topic, [...topicConsumers[topic as keyof typeof topicConsumers]].sort()]);
  }
});
