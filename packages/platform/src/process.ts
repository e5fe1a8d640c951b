import { assertFailpoints } from '@parcelway/kernel/failpoint';
import type { LogFields, Logger } from '@parcelway/kernel/logger';
import { choice, type Environ, loadConfig } from './config.ts';
import { LogOutput } from './log-output.ts';
import { createLogger } from './logging.ts';
import { withSecretFiles } from './secret-files.ts';
import { version } from './version.ts';

/** A stop that takes longer ends the process all the same. */
const STOP_DEADLINE_MS = 25_000;
/** So does a start that goes on after the signal, as one that waits for its servers. */
const START_DEADLINE_MS = 3000;

/** What runs in the process once its start is over. */
export interface RunningProcess {
  /** What a person sees when it is ready. */
  readonly report: string;
  /** What runs here, for the log lines about its start and end: mode or service, environment. */
  readonly facts: LogFields;
  /** Drains and closes everything. */
  stop(): Promise<void>;
}

/** Starts what the process is for. */
export type StartProcess = (env: Environ, logger: Logger) => Promise<RunningProcess>;

/** Resolves at the first SIGTERM or SIGINT with its name; from then on the process has a deadline, a short one while it has not `started`. */
function stopSignal(deadlineMs: number, started: () => boolean): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      setTimeout(() => process.exit(1), deadlineMs).unref();
      setTimeout(() => started() || process.exit(1), START_DEADLINE_MS).unref();
      resolve(signal);
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    // Repeated signals change nothing; without a listener they would end the process in the middle of its stop.
    process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
  });
}

/**
 * Ends the process with 1 when something was thrown that nobody caught (a rejected promise that nobody awaits comes here
 * too): its state is unknown, and whatever was acknowledged is durable. The log is written out on exit.
 */
function endOnDefect(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.error({ err: error, origin }, 'An unexpected error ends the process');
    process.exit(1);
  });
}

/**
 * Ends the process when the one that started it and holds a channel to it is gone: nobody could stop it any more, and
 * it would go on holding its ports against the next start.
 */
function endWithStarter(logger: Logger): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => {
    logger.error({}, 'The parent process has ended; this process ends too');
    process.exit(1);
  });
  // The channel is there to break, nothing is said on it: it must not keep the process alive.
  process.channel.unref();
}

/**
 * Runs until SIGTERM or SIGINT, then drains and exits 0; a signal during the start takes effect after it, or ends it when
 * it goes on for long. The log has a line when it has started and one when it has stopped. A failed start exits 1 and says why in a line. Reads LOG_LEVEL, FAILPOINT, and secrets from files (see {@link withSecretFiles}).
 */
export async function runProcess(given: Environ, start: StartProcess, stopDeadlineMs = STOP_DEADLINE_MS): Promise<never> {
  // Stores hold signing secrets and keys: what this process writes is for its own user alone.
  process.umask(0o077);
  const log = new LogOutput(2);
  let started = false;
  const stopping = stopSignal(stopDeadlineMs, () => started);
  try {
    const env = withSecretFiles(given);
    const { LOG_LEVEL } = loadConfig(env, { LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info') });
    assertFailpoints();
    const logger = createLogger(LOG_LEVEL, log);
    endOnDefect(logger);
    endWithStarter(logger);
    const running = await start(env, logger);
    started = true;
    logger.info({ version, ...running.facts }, 'started');
    new LogOutput(1).write(running.report);
    const signal = await stopping;
    const stoppingSince = performance.now();
    await running.stop();
    const seconds = Math.round(performance.now() - stoppingSince) / 1000;
    logger.info({ version, ...running.facts, signal, seconds }, 'stopped');
    process.exit(0);
  } catch (error) {
    log.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
