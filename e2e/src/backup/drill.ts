import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { platformMode } from '@parcelway/harness/installation';
import { parcelctlOutput } from '@parcelway/harness/parcelctl';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { freePort } from '@parcelway/kernel/free-port';
import { Ledger } from '../ledger/ledger.ts';
import { putLoad } from '../ledger/load.ts';
import { builtVersion } from '../rollout/cluster.ts';

type Env = Readonly<Record<string, string>>;

const COMMAND_MS = 240_000;
const READY_WITHIN_MS = 240_000;

/** What stays of an installation when its servers and disks are gone: its settings and its secrets. */
function settings(port: number): Env {
  return {
    PORT: String(port),
    RATE_LIMITS: 'off',
    WEBHOOK_RETRY_SCHEDULE: '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s',
    INTERNAL_SECRET: randomBytes(24).toString('hex'),
    FILE_SECRET: randomBytes(24).toString('hex'),
  };
}

/** Names that nobody uses yet, for what is restored. */
function newNames(): Env {
  const name = `restored-${randomBytes(4).toString('hex')}`;
  return platformMode() === 'distributed' ? { RESOURCE_PREFIX: name, KAFKA_PREFIX: `${name}.`, S3_BUCKET: name } : {};
}

/** The version that makes the backup: that of the directory in `BACKUP_FROM`, built, or this one. */
function versionBefore(): string | undefined {
  const { BACKUP_FROM: from } = process.env;
  return from === undefined ? undefined : builtVersion(from, 'BACKUP_FROM');
}

/** What the platform and parcelctl share of the environment. */
function environmentOf(platform: PlatformProcess, common: Env): Env {
  return { ...platform.servers, ...common, DATA_DIR: platform.dataDirectory };
}

/** A drill: an installation under load is backed up, destroyed and restored elsewhere, by this version even if another one made the backup. */
export class Drill {
  readonly ledger = new Ledger();
  readonly folder = mkdtempSync(join(tmpdir(), 'drill-'));
  /** Milliseconds. */
  readonly took = { backup: 0, restore: 0 };
  readonly receiver: WebhookReceiver;
  /** Webhooks received up to the destruction. */
  heardBefore = 0;
  readonly #common: Env;
  readonly #names = newNames();
  #platform: PlatformProcess | undefined;
  #restored = false;

  private constructor(receiver: WebhookReceiver, common: Env) {
    this.receiver = receiver;
    this.#common = common;
  }

  static async start(): Promise<Drill> {
    const drill = new Drill(await WebhookReceiver.start(), settings(await freePort()));
    const version = versionBefore();
    drill.#platform = PlatformProcess.prepare({
      env: drill.#common,
      readyWithinMs: READY_WITHIN_MS,
      ...(version !== undefined && { version }),
    });
    await drill.platform.start().catch(async (error: unknown) => {
      // Nobody else could end what has been started.
      await drill.dispose();
      throw error;
    });
    await drill.platform.client().expectOk('/open/v1/webhook-endpoints', { body: { url: drill.receiver.url } });
    return drill;
  }

  get platform(): PlatformProcess {
    if (this.#platform === undefined) throw new Error('There is no platform now');
    return this.#platform;
  }

  get backup(): string {
    return join(this.folder, 'backup');
  }

  /** Environment of parcelctl for the platform as it is now. */
  get env(): Env {
    return environmentOf(this.platform, this.#common);
  }

  /** Load from now on, until the returned function is called. */
  load(): () => Promise<void> {
    let stopped = false;
    const { platform } = this;
    const running = (async () => {
      while (!stopped && platform.running) await putLoad(platform, this.ledger, { workers: 6, parcels: 12 });
    })();
    running.catch(() => undefined);
    return async () => {
      stopped = true;
      await running;
    };
  }

  async backUp(): Promise<void> {
    const startedAt = performance.now();
    await parcelctlOutput(['backup', '--to', this.backup], this.env, COMMAND_MS, versionBefore());
    this.took.backup = performance.now() - startedAt;
  }

  /** Everything is gone but the backup, the settings and the secrets. */
  async destroy(): Promise<void> {
    await this.platform.kill();
    await this.platform.dispose();
    this.heardBefore = this.receiver.received.length;
    this.#platform = undefined;
  }

  /** Restores into names and a data directory that are new, and starts what was restored. */
  async restore(servers: Env): Promise<void> {
    const startedAt = performance.now();
    const dataDirectory = join(this.folder, 'data');
    const env = { ...servers, ...this.#common, ...this.#names, DATA_DIR: dataDirectory };
    await parcelctlOutput(['restore', '--from', this.backup], env, COMMAND_MS);
    this.#platform = PlatformProcess.prepare({
      env: { ...this.#common, ...this.#names },
      dataDirectory,
      readyWithinMs: READY_WITHIN_MS,
    });
    this.#restored = true;
    await this.#platform.start();
    this.took.restore = performance.now() - startedAt;
  }

  /** Environment of parcelctl for what was restored, with the addresses of the services where they are processes. */
  get restoredEnv(): Env {
    const urls =
      platformMode() === 'distributed'
        ? this.platform.services().filter(({ name }) => /-1$/.test(name) && !name.startsWith('gateway'))
        : [];
    const origins = urls.map(({ name, url }) => [`${name.slice(0, -2).toUpperCase().replaceAll('-', '_')}_URL`, url]);
    return { ...this.env, ...this.#names, ...Object.fromEntries(origins) };
  }

  async dispose(): Promise<void> {
    // What was restored goes by names that the platform's own removal does not know.
    const env = this.#platform && this.#restored && platformMode() === 'distributed' ? { ...this.env, ...this.#names } : undefined;
    await this.#platform?.dispose();
    await this.receiver.stop();
    rmSync(this.folder, { recursive: true, force: true });
    if (env === undefined) return;
    const script = fileURLToPath(new URL('../../../tools/servers/dist/remove-installation.js', import.meta.url));
    await promisify(execFile)(process.execPath, [script], { env: { ...env, PATH: process.env['PATH'] }, timeout: 60_000 });
  }
}
