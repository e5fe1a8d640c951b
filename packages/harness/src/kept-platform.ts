import childProcess, { type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { fromRoot } from './installation.ts';
import { Platform } from './platform.ts';

/** What a keeper prints of its platform. */
export interface KeptDescription {
  readonly dataDirectory: string;
  /** Of the platform, not of its keeper. */
  readonly pid: number;
  readonly servers: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string>>;

/** The start itself has a shorter deadline, with a better error. */
const KEPT_WITHIN_MS = 90_000;
/** Of the end of a log, in a message. */
const LOG_CHARACTERS = 100_000;

/** A keeper that this process has started: where the log of its platform is, and what it has printed. */
type Keeper = ChildProcess & { readonly logFile: string; readonly printed: string };

/**
 * The keepers of this process, by the settings of their platforms. Jest runs each test file in a context of its own, with variables of its own; a
 * module of Node.js itself is the same in all of them. A keeper itself is remembered there, and nothing that a test file has made: that would keep
 * all of its context in memory.
 */
const ofThisProcess = childProcess as unknown as Record<symbol, Keeper | undefined>;
const keyOf = (env: Env): symbol => Symbol.for(`parcelway.keeper ${JSON.stringify(Object.entries(env).sort())}`);

/** Starts a keeper, and with it a platform; resolves when the platform is ready. It ends with this process, which it does not keep alive. */
async function startKeeper(settings: Env): Promise<Keeper> {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-keeper-'));
  const logFile = join(directory, 'log');
  const log = openSync(logFile, 'a', 0o600);
  // Those of Jest are for tests alone.
  const { NODE_OPTIONS: _ofTests, ...env } = process.env;
  const args = [fromRoot('packages/harness/dist/keep-platform-main.js'), directory, JSON.stringify(settings)];
  const keeper = childProcess.spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', log] });
  closeSync(log);
  let printed = '';
  keeper.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  try {
    await until(() => printed.endsWith('\n') || !isRunning(keeper), { within: KEPT_WITHIN_MS, what: 'a platform and its keeper' });
    if (!printed.endsWith('\n')) throw new Error('The keeper of the platform ended before it was ready');
  } catch (error) {
    // It ends now, if it has not yet.
    keeper.stdin?.destroy();
    const message = `No platform was started:\n${readFileSync(logFile, 'utf8').slice(-LOG_CHARACTERS)}`;
    rmSync(directory, { recursive: true, force: true });
    throw new Error(message, { cause: error });
  }
  keeper.stdout?.destroy();
  keeper.unref();
  (keeper.stdin as Socket).unref();
  return Object.assign(keeper, { logFile, printed });
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

const describedBy = ({ printed }: Keeper): KeptDescription => JSON.parse(printed) as KeptDescription;

/** True while a keeper and its platform live. */
function isAlive(keeper: Keeper): boolean {
  try {
    return isRunning(keeper) && process.kill(describedBy(keeper).pid, 0);
  } catch {
    // There is no such process.
    return false;
  }
}

/** The end of what a platform has logged. @param from bytes to leave out */
const logOf = ({ logFile }: Keeper, from = 0): string => readFileSync(logFile).subarray(from).toString().slice(-LOG_CHARACTERS);

/**
 * A platform that all test files of this process use, one after the other. A keeper, which is a process of its own, has started it and disposes of
 * it once this process has ended. Nobody can stop or break it: others go on using it.
 */
export class KeptPlatform extends Platform {
  readonly #keeper: Keeper;
  readonly #loggedBefore: number;

  private constructor(keeper: Keeper) {
    super(describedBy(keeper).dataDirectory);
    this.#keeper = keeper;
    this.#loggedBefore = statSync(keeper.logFile).size;
    this.readQuickstart();
  }

  /**
   * The platform of this process. Starts one when there is none yet, and when the one that there was has ended.
   * @param env further environment variables; those who name the same share a platform
   * @throws Error with its log when it is not ready in time
   */
  static async ofThisProcess(env: Env = {}): Promise<KeptPlatform> {
    const key = keyOf(env);
    const former = ofThisProcess[key];
    if (former !== undefined && isAlive(former)) return new KeptPlatform(former);
    if (former !== undefined) {
      process.stderr.write(`The platform that test files share has ended; another one is started. Its log was:\n${logOf(former)}\n`);
      ofThisProcess[key] = undefined;
      rmSync(dirname(former.logFile), { recursive: true, force: true });
    }
    const keeper = await startKeeper(env);
    ofThisProcess[key] = keeper;
    return new KeptPlatform(keeper);
  }

  /** What it has logged since this use of it began, for the message of a failing test. */
  override get log(): string {
    return logOf(this.#keeper, this.#loggedBefore);
  }

  override get servers(): Env {
    return describedBy(this.#keeper).servers;
  }

  /** Process id of the platform. */
  get pid(): number {
    return describedBy(this.#keeper).pid;
  }

  /** Ends this use of it; it goes on for others. @throws Error with its log when it has ended meanwhile */
  async release(): Promise<void> {
    await this.closeClients();
    if (!isAlive(this.#keeper)) throw new Error(`The platform that test files share has ended:\n${this.log}`);
  }
}
