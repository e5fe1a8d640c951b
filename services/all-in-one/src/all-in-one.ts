import { freePort } from '@parcelway/kernel/free-port';
import type { Logger } from '@parcelway/kernel/logger';
import { type Environ, httpsBaseUrl, loadConfig, port } from '@parcelway/platform/config';
import { openEmbeddedPlatform, whyNotStarted } from '@parcelway/platform/embedded';
import { type RunningProcess, runProcess } from '@parcelway/platform/process';
import { runInOneProcess } from '@parcelway/platform/run';
import { banner } from './banner.ts';
import { backServices, gateway } from './services.ts';
import { stopWithNpm } from './stop-with-npm.ts';

async function start(env: Environ, logger: Logger): Promise<RunningProcess> {
  const config = loadConfig(env, { PORT: port(8443), PUBLIC_BASE_URL: httpsBaseUrl });
  // A free one for 0, so that the base URL is known from the start.
  const chosen = config.PORT === 0 ? await freePort() : config.PORT;
  const publicBaseUrl = config.PUBLIC_BASE_URL ?? `https://localhost:${chosen}`;
  const opened = await openEmbeddedPlatform({ ...env, PORT: String(chosen) }, publicBaseUrl, logger);
  const running = await runInOneProcess({ opened, services: backServices, gateway, logger });
  const { environment, dataDirectory } = opened.platform;
  const report = banner({
    ...running.addresses,
    environment,
    dataDirectory,
    mode: 'embedded',
    readyAfterMs: performance.now(),
    isBaseUrlSet: config.PUBLIC_BASE_URL !== undefined,
  });
  return { report, facts: { mode: 'embedded', environment }, stop: () => running.stop() };
}

/** Runs everything in this process until SIGTERM or SIGINT. */
export function runAllInOne(env: Environ): Promise<never> {
  stopWithNpm(env);
  return runProcess(env, (read, logger) =>
    start(read, logger).catch((error: unknown) => {
      throw whyNotStarted(read, error);
    }),
  );
}
