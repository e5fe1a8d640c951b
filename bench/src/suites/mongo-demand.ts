import { topics } from '@parcelway/contracts/topics';
import { mongo } from 'mongoose';
import { type DistributedStage, serviceProcesses } from '../distributed-stage.ts';

/** What the services have asked of MongoDB and Kafka so far. */
export interface Demand {
  readonly mongoReads: number;
  readonly mongoWrites: number;
  /** Beginnings and endings of transactions, counts and the like. */
  readonly mongoCommands: number;
  readonly kafkaMessages: number;
  /** Documents as MongoDB holds them in memory, bytes. */
  readonly documentBytes: number;
}

/** Sizes of an installation's databases, bytes. */
export interface DiskUse {
  readonly documentBytes: number;
  /** Documents compressed, on the disk. */
  readonly storageBytes: number;
  readonly indexBytes: number;
}

/** Counts for this installation alone: other clients of the same servers do not show. */
export interface DemandCounter {
  read(): Promise<Demand>;
  /** Has MongoDB write everything to its files first. */
  disk(): Promise<DiskUse>;
  close(): Promise<void>;
}

interface Latencies {
  readonly latencyStats: Readonly<Record<'reads' | 'writes' | 'commands', { readonly ops: number | mongo.Long }>>;
}

async function collectionDemand(collection: mongo.Collection): Promise<Omit<Demand, 'kafkaMessages' | 'documentBytes'>> {
  const [stats] = await collection.aggregate<Latencies>([{ $collStats: { latencyStats: {} } }]).toArray();
  const { reads, writes, commands } = (stats as Latencies).latencyStats;
  return { mongoReads: Number(reads.ops), mongoWrites: Number(writes.ops), mongoCommands: Number(commands.ops) };
}

async function databaseDemand(db: mongo.Db): Promise<Omit<Demand, 'kafkaMessages'>> {
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const demands = await Promise.all(collections.map(({ name }) => collectionDemand(db.collection(name))));
  const { dataSize } = (await db.stats()) as { dataSize: number };
  const sum = (of: (demand: (typeof demands)[number]) => number): number => demands.reduce((total, demand) => total + of(demand), 0);
  return {
    mongoReads: sum(({ mongoReads }) => mongoReads),
    mongoWrites: sum(({ mongoWrites }) => mongoWrites),
    mongoCommands: sum(({ mongoCommands }) => mongoCommands),
    documentBytes: dataSize,
  };
}

/** Connects to the MongoDB of MONGODB_URL. It asks for statistics itself, which count as a few reads: measure the idle demand too. */
export async function openDemandCounter({ platform, log }: DistributedStage): Promise<DemandCounter> {
  const client = await mongo.MongoClient.connect(process.env['MONGODB_URL'] ?? '', {
    maxPoolSize: 4,
    serverSelectionTimeoutMS: 5000,
    socketTimeoutMS: 20_000,
  });
  const databases = serviceProcesses.map((service) => client.db(`${platform.servers['RESOURCE_PREFIX']}-${service}`));
  return {
    async read() {
      const demands = await Promise.all(databases.map(databaseDemand));
      const appended = await Promise.all(Object.values(topics).map((topic) => log.appended(topic)));
      const sum = (of: (demand: (typeof demands)[number]) => number): number => demands.reduce((total, demand) => total + of(demand), 0);
      return {
        mongoReads: sum(({ mongoReads }) => mongoReads),
        mongoWrites: sum(({ mongoWrites }) => mongoWrites),
        mongoCommands: sum(({ mongoCommands }) => mongoCommands),
        kafkaMessages: appended.reduce((total, count) => total + count, 0),
        documentBytes: sum(({ documentBytes }) => documentBytes),
      };
    },
    async disk() {
      await client.db('admin').command({ fsync: 1 });
      const all = (await Promise.all(databases.map((db) => db.stats()))) as { dataSize: number; storageSize: number; indexSize: number }[];
      return {
        documentBytes: all.reduce((total, { dataSize }) => total + dataSize, 0),
        storageBytes: all.reduce((total, { storageSize }) => total + storageSize, 0),
        indexBytes: all.reduce((total, { indexSize }) => total + indexSize, 0),
      };
    },
    close: () => client.close(),
  };
}
