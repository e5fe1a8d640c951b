import { createServer } from 'node:net';
import { listen } from '@parcelway/http/server';
import { choice, type Environ, loadConfig, optionalText, port } from '@parcelway/platform/config';
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

/** The port that is listened on: the one asked for, or for 0 a free one, so that the base URL is known from the start. */
async function choosePort(asked: number): Promise<number> {
  if (asked !== 0) return asked;
  const probe = createServer();
  const free = await listen(probe, '127.0.0.1', 0);
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** Starts all services in this process on the embedded platform. */
async function start(env: Environ): Promise<{ running: RunningPlatform; report: string }> {
  const config = loadConfig(env, {
    PORT: port(8443),
    PUBLIC_BASE_URL: optionalText,
    LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  });
  const chosen = await choosePort(config.PORT);
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `https://localhost:${chosen}`).replace(/\/+$/, '');
  const logger = createLogger(config.LOG_LEVEL);
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

/** Runs until SIGTERM or SIGINT, then drains and exits 0. A failed start exits 1 and says why in a line. */
export async function runAllInOne(env: Environ): Promise<void> {
  try {
    const { running, report } = await start(env);
    process.stdout.write(report);
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
