import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type DomainEventType, topicOf } from '@parcelway/contracts/domain-events';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { runInOneProcess } from '@parcelway/platform/run';
import type { Platform, ServiceDefinition } from '@parcelway/platform/service';
import { backServices, gateway } from './services.ts';

/* `topicConsumers` is kept by hand; backups, restores and the doctor trust it. Here the services say what they read. */

type Bus = Platform['bus'];

/** Topics that services read: service, consumer group and topic. */
const readings: [service: ServiceName, group: string, topic: string][] = [];

function recordingBus(bus: Bus, service: ServiceName): Bus {
  const note = (group: string, types: readonly DomainEventType[]): void => {
    for (const topic of new Set(types.map((type) => topicOf[type]))) readings.push([service, group, topic]);
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
    subscribeRawBatch(group, topic, handle) {
      readings.push([service, group, topic]);
      return bus.subscribeRawBatch(group, topic, handle);
    },
  };
}

function recorded<D extends ServiceDefinition>(definition: D): D {
  const open: D['open'] = (platform) => definition.open({ ...platform, bus: recordingBus(platform.bus, definition.name) });
  return { ...definition, open };
}

test('the listed services read each topic, each in a consumer group of its name', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-consumers-'));
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: directory };
  const opened = await openEmbeddedPlatform(env, 'https://localhost:0', silentLogger);
  const running = await runInOneProcess({ opened, services: backServices.map(recorded), gateway, logger: silentLogger });
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
  const listed = Object.entries(topicConsumers).flatMap(([topic, services]) => services.map((service) => [service, service, topic]));
  expect(readings.map(String).sort()).toEqual(listed.map(String).sort());
}, 60_000);
