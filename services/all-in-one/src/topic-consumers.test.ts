import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DomainEventType, topicOf } from '@parcelway/contracts/domain-events';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { topics } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { runInOneProcess } from '@parcelway/platform/run';
import type { Platform, ServiceDefinition } from '@parcelway/platform/service';
import { backServices, gateway } from './services.ts';

/* `topicConsumers` is kept by hand; backups, restores and the doctor trust it. Here the services say what they read. */

type Bus = Platform['bus'];

/** A topic that a service reads. */
interface Reading {
  readonly service: ServiceName;
  readonly group: string;
  readonly topic: string;
}

const readings: Reading[] = [];

/** A bus that notes what a service subscribes to, and subscribes. */
function recordingBus(bus: Bus, service: ServiceName): Bus {
  const note = (group: string, types: readonly DomainEventType[]): void => {
    for (const topic of new Set(types.map((type) => topicOf[type]))) readings.push({ service, group, topic });
  };
  return {
    ...bus,
    subscribe(group, handlers, options) {
      note(group, Object.keys(handlers) as DomainEventType[]);
      return bus.subscribe(group, handlers, options);
    },
    subscribeBatch(group, types, handle, options) {
      note(group, types);
      return bus.subscribeBatch(group, types, handle, options);
    },
    subscribeRaw(group, topic, handle) {
      readings.push({ service, group, topic });
      return bus.subscribeRaw(group, topic, handle);
    },
    subscribeRawBatch(group, topic, handle) {
      readings.push({ service, group, topic });
      return bus.subscribeRawBatch(group, topic, handle);
    },
  };
}

/** The service on a bus that records. */
function recorded<D extends ServiceDefinition>(definition: D): D {
  const open: D['open'] = (platform) => definition.open({ ...platform, bus: recordingBus(platform.bus, definition.name) });
  return { ...definition, open };
}

const directory = mkdtempSync(join(tmpdir(), 'parcelway-consumers-'));

beforeAll(async () => {
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: directory };
  const opened = await openEmbeddedPlatform(env, 'https://localhost:0', silentLogger);
  const running = await runInOneProcess({ opened, services: backServices.map(recorded), gateway: recorded(gateway), logger: silentLogger });
  await running.stop();
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the list of the consumers of topics', () => {
  test.each(Object.values(topics))('has for %s the services that subscribe to it', (topic) => {
    const subscribed = readings.filter((reading) => reading.topic === topic);
    expect([...topicConsumers[topic]].sort()).toEqual(subscribed.map(({ service }) => service).sort());
  });

  test('can stand for consumer groups: each has the name of its service', () => {
    for (const { group, service } of readings) expect(group).toBe(service);
  });

  test('knows every topic that is read', () => {
    const known: readonly string[] = Object.values(topics);
    for (const { topic } of readings) expect(known).toContain(topic);
  });
});
