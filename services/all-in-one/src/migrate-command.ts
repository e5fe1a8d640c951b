import { parseArgs } from 'node:util';
import { PARTITIONS } from '@parcelway/contracts/topics';
import type { MigrateOptions } from '@parcelway/platform/migrate';

/** What `--help` prints. */
const USAGE = `Usage: node dist/migrate.js [options]
       npm run migrate -- [options]

Makes the topics, bucket, collections and indexes of a distributed installation where they are missing. Safe to repeat; services may be running.
Reads MONGODB_URL, KAFKA_BROKERS, the variables of the object store, and ENVIRONMENT, RESOURCE_PREFIX and KAFKA_PREFIX: docs/distributed.md#configuration.

  --sharded             shard the collections: MONGODB_URL names the routers of a sharded cluster. Update all services first: docs/distributed.md#sharding
  --partitions <count>  give the topics that services consume so many partitions, more than ${PARTITIONS}. Stop the relays first: docs/operate.md#more-partitions
  --help                print this

Exit codes: 0 done, 1 failed.
`;

/** Services whose relays publish to the topics that get partitions, as docs/operate.md#more-partitions names them. */
const PUBLISHING = 'forecast, file, warehouse-intake and tracking';

/** Conditions of more partitions, which the step cannot check for processes that are idle. */
const BEFORE_PARTITIONS = `More partitions need, before this step (docs/operate.md#more-partitions):
- OUTBOX_RELAY=off in every process of ${PUBLISHING}, or messages of a parcel may overtake each other
- no outside system that writes to warehouse.intake.v1, and no redrive of dead letters
`;

/** What has to follow when the partitions are there. */
const AFTER_PARTITIONS = `Now, or nothing is published:
- remove OUTBOX_RELAY from ${PUBLISHING}, and restart every process of them
- restart webhook, which otherwise finds the new partitions within five minutes
- start the outside systems again, run parcelctl doctor, and raise the number of replicas
`;

interface MigrateArguments {
  readonly help: boolean;
  readonly options: Pick<MigrateOptions, 'sharded' | 'partitions'>;
}

function readArguments(args: readonly string[]): MigrateArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      sharded: { type: 'boolean', default: false },
      partitions: { type: 'string' },
    },
  });
  const { help, sharded, partitions } = values;
  if (partitions === undefined) return { help, options: { sharded } };
  if (!/^\d{1,4}$/.test(partitions)) throw new Error('--partitions must be a whole number');
  return { help, options: { sharded, partitions: Number(partitions) } };
}

/**
 * Runs the command line of the migrate step: prints its options, or migrates. Before and after more partitions it names what else they need.
 * @param print takes lines with their ends
 * @throws Error with what is wrong in the command line, or whatever `migrate` throws
 */
export async function runMigrateCommand(
  args: readonly string[],
  print: (text: string) => unknown,
  migrate: (options: MigrateArguments['options']) => Promise<void>,
): Promise<void> {
  const { help, options } = readArguments(args);
  if (help) {
    print(USAGE);
    return;
  }
  const addsPartitions = options.partitions !== undefined;
  if (addsPartitions) print(BEFORE_PARTITIONS);
  await migrate(options);
  if (addsPartitions) print(AFTER_PARTITIONS);
}
