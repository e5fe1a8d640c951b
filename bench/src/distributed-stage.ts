import { type Receiver, startReceiver } from './receiver.ts';
import { onStage, type Stage } from './stage.ts';
import { KafkaLog } from './suites/kafka-log.ts';

/** A platform of many processes under load. */
export interface DistributedStage extends Stage {
  readonly log: KafkaLog;
  /** Gets the demo tenant's `parcel.weighed`. */
  readonly receiver: Receiver;
  /** Process ids of the replicas of a service. */
  pidsOf(service: string): readonly number[];
}

/** Services of an installation, as their processes are named. */
export const serviceProcesses = ['gateway', 'forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'] as const;

function pidsOf(stage: Stage, service: string): readonly number[] {
  const processes = stage.platform.services().filter(({ name }) => name.replace(/-\d+$/, '') === service);
  return processes.map(({ name, pid }) => {
    if (pid === null) throw new Error(`${name} does not run`);
    return pid;
  });
}

/**
 * Starts a platform of `replicas` processes of each service, lets `use` work with it, and clears everything away.
 * @param env further variables of the platform
 */
export async function onDistributedStage<T>(
  replicas: number,
  use: (stage: DistributedStage) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const receiver = await startReceiver();
  try {
    return await onStage(
      async (stage) => {
        const log = await KafkaLog.open(stage.platform.servers['KAFKA_PREFIX'] ?? '');
        try {
          const endpoint = { url: `${receiver.origin}/webhooks`, event_types: ['parcel.weighed'] };
          await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
          return await use({ ...stage, log, receiver, pidsOf: (service) => pidsOf(stage, service) });
        } finally {
          await log.close();
        }
      },
      { ...env, REPLICAS: String(replicas) },
    );
  } finally {
    await receiver.close();
  }
}
