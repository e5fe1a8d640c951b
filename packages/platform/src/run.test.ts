import { expect, jest, test } from '@jest/globals';
import { createServiceApp } from '@parcelway/http/app';
import { silentLogger } from '@parcelway/kernel/logger';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { openEmbeddedPlatform, whyNotStarted } from './embedded.ts';
import { runInOneProcess } from './run.ts';
import type { OpenService, Platform, PublicServer, PublicServiceDefinition, ServiceDefinition } from './service.ts';

const directory = useDirectory();

/** A service that notes what happens to it, and fails where `failing` says. */
function noting(name: string, events: string[], failing: 'open' | 'start' | 'nothing' = 'nothing') {
  const open = async (platform: Platform): Promise<OpenService> => {
    if (failing === 'open') throw new Error(`${name} does not open`);
    // Later than the failure of another.
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${name} opened`);
    return {
      app: createServiceApp({ logger: silentLogger, verifier: platform.principalVerifier, routes: () => undefined }),
      async start() {
        if (failing === 'start') throw new Error(`${name} does not start`);
      },
      async stop() {
        events.push(`${name} stopped`);
      },
      ready: async () => undefined,
    };
  };
  return { name: name as ServiceDefinition['name'], calls: [], uses: [], collections: [], settings: () => undefined, open };
}

function gatewayOf(events: string[]): PublicServiceDefinition {
  const gateway = noting('gateway', events);
  const open = async (platform: Platform): Promise<PublicServer> => ({
    ...(await gateway.open(platform)),
    listen: async () => ({ baseUrl: '', adminUrl: '', caFile: null }),
    drain: async () => void events.push('gateway drained'),
    idle: async () => undefined,
  });
  return { ...gateway, open };
}

const openPlatform = () => openEmbeddedPlatform({ DATA_DIR: directory.path }, 'https://localhost:1', silentLogger);

test.each(['open', 'start'] as const)(
  'when a service fails to %s, everything opened before is closed, and the failure is reported',
  async (failing) => {
    const events: string[] = [];
    const services = [noting('file', events), noting('forecast', events, failing)];
    const running = runInOneProcess({ opened: await openPlatform(), services, gateway: gatewayOf(events), logger: silentLogger });
    await expect(running).rejects.toThrow(`forecast does not ${failing}`);
    for (const name of ['gateway', 'file']) expect(events).toContain(`${name} stopped`);
    expect(events.indexOf('gateway drained')).toBeLessThan(events.indexOf('file stopped'));
    // The data directory is free again.
    await (await openPlatform()).close();
  },
);

test('no service is ready while a handler of messages does not end', async () => {
  const opened = await openPlatform();
  const watch = jest.spyOn(opened.adminServer, 'watch');
  const running = await runInOneProcess({ opened, services: [noting('file', [])], gateway: gatewayOf([]), logger: silentLogger });
  const ready = watch.mock.calls.map(([, check]) => check);
  await Promise.all(ready.map((check) => check()));
  opened.platform.bus.check = () => Promise.reject(new Error('stuck'));
  for (const check of ready) await expect(check()).rejects.toThrow('stuck');
  await running.stop();
});

test('a platform that cannot be opened gives the data directory back', async () => {
  await (await openPlatform()).close();
  const other = openEmbeddedPlatform({ DATA_DIR: directory.path, ENVIRONMENT: 'production' }, 'https://localhost:1', silentLogger);
  await expect(other).rejects.toThrow('belongs to the sandbox environment');
  await (await openPlatform()).close();
});

test('a start that fails says when the disk is full, and otherwise what it was', () => {
  const env = { DATA_DIR: directory.path };
  const full = (error: object): unknown => whyNotStarted(env, Object.assign(new Error('the reason'), error));
  for (const error of [{ code: 'ENOSPC' }, { sqliteExtendedCode: 13 }, { cause: { code: 'ENOSPC' } }])
    expect(full(error)).toMatchObject({
      message: expect.stringMatching(`The disk of the data directory ${directory.path} is full .*Free some space`),
    });
  expect(full({ code: 'EACCES' })).toMatchObject({ message: 'the reason' });
});
