import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@parcelway/contracts/service-name';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import { silentLogger } from '@parcelway/kernel/logger';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import type { FrontAddresses, FrontDoor } from '@parcelway/platform/service';
import { openGateway } from '../service.ts';

/** A whole gateway on the embedded platform, with one listener that stands for every other service. */
export interface TestFront extends AsyncDisposable {
  readonly front: FrontDoor;
  readonly addresses: FrontAddresses;
  readonly directory: string;
  /** Stops it and keeps the data directory, so that it can be started again. */
  stop(): Promise<void>;
}

/** Starts it. `env` adds to free ports; `directory` continues an earlier start. */
export async function startFront(others: RequestListener, env: Record<string, string> = {}, directory?: string): Promise<TestFront> {
  const data = directory ?? (await mkdtemp(join(tmpdir(), 'gateway-front-')));
  const opened = await openEmbeddedPlatform({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, ...env }, 'https://localhost:0', silentLogger);
  const front = await openGateway(opened.platform);
  const own = createServiceServer(front.app, () => front.ready());
  const other: Server = createServer(others);
  const otherOrigin = `http://127.0.0.1:${await listen(other, '127.0.0.1', 0)}`;
  for (const name of serviceNames) opened.setOrigin(name, otherOrigin);
  opened.setOrigin('gateway', `http://127.0.0.1:${await listen(own, '127.0.0.1', 0)}`);
  const addresses = await front.listen();
  await front.start();
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await front.drain(500);
    await Promise.all([drainServer(own, 200), drainServer(other, 200)]);
    await front.stop();
    await opened.close();
  };
  return {
    front,
    addresses,
    directory: data,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
