import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Environ } from '@parcelway/platform/config';
import { createLogger } from '@parcelway/platform/logging';
import { type MigrateOptions, type MigrateStep, migrateSteps } from '@parcelway/platform/migrate';
import { withSecretFiles } from '@parcelway/platform/secret-files';
import { backServices, gateway } from './services.ts';

/** Servers that are still starting are waited for this long. */
const DEADLINE_MS = 120_000;
/** Pause before a step that failed is tried again: in a new installation the servers come up at the same time as this. */
const RETRY_MS = 1000;

/** The time that a step has. */
class StepTime {
  /** Servers that are still starting are waited for until then, an instant of `performance.now()`. */
  readonly waitsUntil: number;
  /** Fails when the time is over. */
  readonly over: Promise<never>;
  #end: number;
  #timer: NodeJS.Timeout | undefined;
  #extendedAt: number | undefined;
  #isStopped = false;
  #fail: (error: Error) => void = () => undefined;
  readonly #startedAt = performance.now();

  constructor(waitsUntil: number) {
    this.waitsUntil = waitsUntil;
    this.#end = waitsUntil;
    this.over = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#watch();
  }

  /** When the time is over. */
  get end(): number {
    return this.#end;
  }

  /** Milliseconds since it was extended; 0 when it was not. */
  get worked(): number {
    return this.#extendedAt === undefined ? 0 : performance.now() - this.#extendedAt;
  }

  /** Gives the step so many milliseconds from now; only once. */
  extend(ms: number): void {
    if (this.#isStopped || this.#extendedAt !== undefined) return;
    this.#extendedAt = performance.now();
    this.#end = Math.max(this.#end, this.#extendedAt + ms);
    this.#watch();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const minutes = Math.round((this.#end - this.#startedAt) / 60_000);
    const fail = (): void => this.#fail(new Error(`no response within ${minutes} minutes`));
    this.#timer = setTimeout(fail, Math.max(0, this.#end - performance.now()));
  }
}

/** Runs a step until it succeeds. What fails because a server is out is tried again for as long as the step has. @throws the last failure */
async function insist({ run, what }: MigrateStep, time: StepTime, logger: Logger): Promise<unknown> {
  for (;;) {
    try {
      return await run((ms) => time.extend(ms));
    } catch (error) {
      const until = error instanceof AppError ? time.end : time.waitsUntil;
      if (performance.now() + RETRY_MS > until) throw error;
      logger.warn({ what, err: error }, 'The migrate step failed; trying again');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Makes topics, bucket, collections and indexes of an installation where they are missing, and reports each on standard
 * output. Idempotent; services may be running.
 * @throws ConfigError naming every variable that is wrong, or Error with the step that did not succeed in its time
 */
export async function migrate(given: Environ, options: MigrateOptions = {}): Promise<void> {
  const env = withSecretFiles(given);
  const logger = createLogger('warn');
  const progress = (line: string): unknown => process.stdout.write(`    ${line}\n`);
  const steps = migrateSteps(env, [gateway, ...backServices], logger, { progress, ...options });
  let waitsUntil = performance.now() + DEADLINE_MS;
  for (const step of steps) {
    const { what, deadlineMs } = step;
    const startedAt = performance.now();
    const time = new StepTime(deadlineMs === undefined ? waitsUntil : startedAt + deadlineMs);
    const work = async (): Promise<unknown> => (deadlineMs === undefined ? insist(step, time, logger) : step.run((ms) => time.extend(ms)));
    try {
      await Promise.race([work(), time.over]);
    } catch (error) {
      throw new Error(`Migrating failed at ${what}: ${(error as Error).message}`, { cause: error });
    } finally {
      time.stop();
    }
    // Servers that are still starting are waited for two minutes in all, however long others work.
    waitsUntil += time.worked;
    process.stdout.write(`  ${what}: in place (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  }
}
