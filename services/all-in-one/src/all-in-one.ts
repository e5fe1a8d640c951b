import { createServer } from 'node:net';
import { listen } from '@parcelway/http/server';
import { assertFailpoints } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { choice, type Environ, httpsBaseUrl, loadConfig, port } from '@parcelway/platform/config';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { createLogger } from '@parcelway/platform/logging';
import { type RunningPlatform, runInOneProcess } from '@parcelway/platform/run';
import { fileService } from '@parcelway/service-file/service';
import { forecastService } from '@parcelway/service-forecast/service';
import { openGateway } from '@parcelway/service-gateway/service';
import { trackingService } from '@parcelway/service-tracking/service';
import { warehouseIntakeService } from '@parcelway/service-warehouse-intake/service';
import { webhookService } from '@parcelway/service-webhook/service';
import { banner } from './banner.ts';

/** A stop that takes longer ends the process all the same. */
const STOP_DEADLINE_MS = 25_000;

/** A platform that is ready, and what to say of it. */
interface Started {
  readonly running: RunningPlatform;
  readonly report: string;
}

/** The port that is listened on: the one asked for, or for 0 a free one, so that the base URL is known from the start. */
async function choosePort(asked: number): Promise<number> {
  if (asked !== 0) return asked;
  const probe = createServer();
  const free = await listen(probe, '127.0.0.1', 0);
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** Starts all services in this process on the embedded platform. */
async function start(env: Environ, asked: number, baseUrl: string | undefined, logger: Logger): Promise<Started> {
  const chosen = await choosePort(asked);
  const publicBaseUrl = baseUrl ?? `https://localhost:${chosen}`;
  const opened = await openEmbeddedPlatform({ ...env, PORT: String(chosen) }, publicBaseUrl, logger);
  const running = await runInOneProcess({
    opened,
    services: [forecastService, fileService, warehouseIntakeService, trackingService, webhookService],
    openFront: openGateway,
    logger,
  });
  const { environment, dataDirectory } = opened.platform;
  return { running, report: banner(running.addresses, environment, dataDirectory, performance.now()) };
}

/** How often a platform that npm started looks whether npm is still there. */
const PARENT_CHECK_MS = 200;

/**
 * Stops the platform when npm, which started it, has been killed: nobody could stop it any more, and it would go on
 * holding the port and the data directory against the next start.
 */
function stopWithNpm(env: Environ): void {
  if (env['npm_lifecycle_event'] !== 'start') return;
  const npm = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}

/** Resolves at the first SIGTERM or SIGINT; from then on the process has {@link STOP_DEADLINE_MS} to end. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
      resolve();
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    // Repeated signals change nothing; without a listener they would end the process in the middle of its stop.
    process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
  });
}

/**
 * Ends the process with 1 when something was thrown that nobody caught (a rejected promise that nobody awaits comes here
 * too): its state is unknown, and whatever was acknowledged is on disk. The log is written out on exit.
 */
function endOnDefect(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.error({ err: error, origin }, 'A defect ends the process');
    process.exit(1);
  });
}

/**
 * Runs until SIGTERM or SIGINT, then drains and exits 0; a signal during the start takes effect after it. A failed start
 * exits 1 and says why in a line.
 */
export async function runAllInOne(env: Environ): Promise<void> {
  // Stores hold signing secrets and keys: what this process writes is for its own user alone.
  process.umask(0o077);
  const stopping = stopSignal();
  stopWithNpm(env);
  try {
    const config = loadConfig(env, {
      PORT: port(8443),
      PUBLIC_BASE_URL: httpsBaseUrl,
      LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    });
    assertFailpoints();
    const logger = createLogger(config.LOG_LEVEL);
    endOnDefect(logger);
    const { running, report } = await start(env, config.PORT, config.PUBLIC_BASE_URL, logger);
    process.stdout.write(report);
    await stopping;
    await running.stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
