import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { remoteServices } from '@parcelway/http/other-services';
import { drainServer, listen } from '@parcelway/http/server';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { gatewayService } from '../service.ts';

/** A whole gateway on the embedded platform, with one listener that stands for every other service. */
export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

const afterFile: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const dispose of afterFile) await dispose();
});

/** Starts it; it ends with the tests of the file at the latest. `env` adds to free ports; `directory` continues an earlier start. */
export async function startGateway(others: RequestListener, env: Record<string, string> = {}, directory?: string) {
  const data = directory ?? (await mkdtemp(join(tmpdir(), 'gateway-')));
  const opened = await openEmbeddedPlatform({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, ...env }, 'https://localhost:0', silentLogger);
  const other: Server = createServer(others);
  const origin = `http://127.0.0.1:${await listen(other, '127.0.0.1', 0)}`;
  const otherServices = remoteServices({ originOf: () => origin, signer: opened.platform.principalSigner });
  const gateway = await gatewayService.open({ ...opened.platform, otherServices });
  const addresses = await gateway.listen();
  await gateway.start();
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await gateway.drain(500);
    await drainServer(other, 200);
    await gateway.stop();
    await otherServices.close();
    await opened.close();
  };
  const dispose = async (): Promise<void> => {
    await stop();
    await rm(data, { recursive: true, force: true });
  };
  afterFile.push(dispose);
  return {
    server: gateway,
    addresses,
    directory: data,
    /** The log that it works with. */
    bus: opened.platform.bus,
    /** Stops it and keeps the data directory, so that it can be started again. */
    stop,
    [Symbol.asyncDispose]: dispose,
  };
}
