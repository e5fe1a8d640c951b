import { PlatformProcess } from '@parcelway/harness/platform-process';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { checkLedger, Ledger } from '../kill/ledger.ts';
import { ContinuousLoad } from './continuous-load.ts';
import type { Fault, FaultReport, FaultStage, Findings } from './fault.ts';
import type { FaultServers } from './fault-servers.ts';

/** Deliveries that a fault cut off are tried again soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s,10s,10s';
const LOAD = { workers: 6, parcelsPerSecond: 12 };
/** The load runs this long before the fault, and after it has been healed. */
const CALM_MS = 3000;
/** Parcels begun have to be through so long after the fault. */
const FINISH_MS = 40_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A platform for faults that need the same servers in the same way, with two receivers of all its events. */
export class FaultPlatform {
  readonly #servers: FaultServers;
  readonly #platform: PlatformProcess;
  readonly #receivers: readonly [WebhookReceiver, WebhookReceiver];

  private constructor(servers: FaultServers, platform: PlatformProcess, receivers: readonly [WebhookReceiver, WebhookReceiver]) {
    this.#servers = servers;
    this.#platform = platform;
    this.#receivers = receivers;
  }

  /** Starts one as `fault` needs it. */
  static async start(servers: FaultServers, fault: Pick<Fault, 'proxied' | 'env'>): Promise<FaultPlatform> {
    const env = { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...fault.env };
    Object.assign(process.env, { PARCELWAY_MODE: 'distributed', ...servers.platformEnv(fault.proxied) });
    const platform = await PlatformProcess.start({ env });
    const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()] as const;
    const setup = platform.client();
    for (const { url } of receivers) await setup.expectOk('/open/v1/webhook-endpoints', { body: { url } });
    return new FaultPlatform(servers, platform, receivers);
  }

  /** Strikes under load, heals, and lets the ledger judge. */
  async run(fault: Fault): Promise<FaultReport> {
    const ledger = new Ledger();
    const load = new ContinuousLoad(this.#platform, ledger, LOAD);
    const stage: FaultStage = { servers: this.#servers, platform: this.#platform, load, receivers: this.#receivers };
    await pause(CALM_MS);
    const findings = await fault
      .strike(stage)
      .catch((error: unknown): Findings => ({ observed: 'the fault could not be carried out', violations: [String(error)] }));
    const healedAt = performance.now();
    await pause(CALM_MS);
    const unfinished = await load.finish(FINISH_MS).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const checked = await checkLedger(ledger, this.#platform, this.#receivers);
    return {
      fault,
      ledger: checked,
      observed: findings.observed,
      failedRequests: [...load.failures.values()].reduce((sum, count) => sum + count, 0),
      quietAfterS: (performance.now() - healedAt) / 1000,
      violations: [...findings.violations, ...unfinished, ...checked.violations],
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
    await this.#platform.dispose();
  }
}
