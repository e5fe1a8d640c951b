import { mongo } from 'mongoose';

/** Deadline of an operator's command. */
const DEADLINE_MS = 10_000;

async function command(url: string, document: Record<string, unknown>): Promise<void> {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  try {
    await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}

/** Has the primary step down for some seconds; another member is elected. */
export function stepDown(url: string, seconds: number): Promise<void> {
  return command(url, { replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 5 });
}

/**
 * Has the server fail a share of the commands that it is sent (MongoDB's failCommand, which needs enableTestCommands).
 * @param share 0 to 1
 * @param data as of failCommand, such as `{ failCommands: ['insert'], closeConnection: true }`
 * @returns what ends that
 */
export async function failCommands(url: string, share: number, data: Record<string, unknown>): Promise<() => Promise<void>> {
  await command(url, { configureFailPoint: 'failCommand', mode: { activationProbability: share }, data });
  return () => command(url, { configureFailPoint: 'failCommand', mode: 'off' });
}
