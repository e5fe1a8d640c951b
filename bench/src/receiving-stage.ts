import { platformMode } from '@parcelway/harness/installation';
import { type Receiver, startReceiver } from './receiver.ts';
import { onStage, type Stage } from './stage.ts';
import { pause } from './suite.ts';
import { KafkaLog } from './suites/kafka-log.ts';

/** Embedded, everything that follows from a submission is done within this time. */
const EMBEDDED_SETTLES_MS = 1500;

/** A platform under load whose demo tenant gets webhooks. */
export interface ReceivingStage extends Stage {
  /** Gets the demo tenant's `parcel.weighed`. */
  readonly receiver: Receiver;
  /** Process ids of the platform, by service; embedded it has one process. */
  pids(): Readonly<Record<string, number>>;
  /** Resolves once the platform has done what follows from the requests before. */
  settled(): Promise<void>;
}

function pidsOf({ platform }: Stage): Readonly<Record<string, number>> {
  if (platformMode() === 'embedded') return { platform: platform.pid };
  return Object.fromEntries(
    platform.services().map(({ name, pid }) => {
      if (pid === null) throw new Error(`${name} does not run`);
      return [name.replace(/-\d+$/, ''), pid];
    }),
  );
}

/**
 * Starts a platform with a webhook endpoint, lets `use` work with it, and clears everything away.
 * @param env further variables of the platform
 */
export async function onReceivingStage<T>(
  use: (stage: ReceivingStage) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const receiver = await startReceiver();
  try {
    return await onStage(async (stage) => {
      const log = platformMode() === 'embedded' ? undefined : await KafkaLog.open(stage.platform.servers['KAFKA_PREFIX'] ?? '');
      try {
        const endpoint = { url: `${receiver.origin}/webhooks`, event_types: ['parcel.weighed'] };
        await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
        const settled = (): Promise<void> => log?.settled() ?? pause(EMBEDDED_SETTLES_MS);
        return await use({ ...stage, receiver, pids: () => pidsOf(stage), settled });
      } finally {
        await log?.close();
      }
    }, env);
  } finally {
    await receiver.close();
  }
}
