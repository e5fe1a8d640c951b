import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fillDisk } from '@parcelway/harness/full-disk';
import { mongo } from 'mongoose';
import type { FaultStage } from './fault.ts';
import type { ServerVerb } from './fault-servers.ts';

/* What breaks a server, or the connections to it. */

/** Breaks something. @returns what heals it */
export type Break = (stage: FaultStage) => Promise<() => Promise<void>>;

const DEADLINE_MS = 10_000;
const nothing = async (): Promise<void> => undefined;

const acts =
  (verb: ServerVerb, healing: ServerVerb) =>
  (...names: readonly string[]): Break =>
  async ({ servers }) => {
    await servers.act(verb, ...names);
    return () => servers.act(healing, ...names);
  };

export const stopped = acts('stop', 'start');
export const killed = acts('kill', 'start');
/** SIGSTOP: connections stay, and nothing responds. */
export const silent = acts('pause', 'resume');

/** SIGKILL, and a start at once. */
export const restarted =
  (name: string): Break =>
  async (stage) => {
    await (await killed(name)(stage))();
    return nothing;
  };

/** Disturbs the connections through a proxy such as `kafka`. */
export const disturbed =
  (proxy: string, type: string, attributes: Readonly<Record<string, number>>): Break =>
  ({ servers }) =>
    servers.disturb(proxy, type, attributes);

/** Cuts connections after what was asked was done, again and again. */
export const cutAfterWrites =
  (times: number): Break =>
  async ({ servers }) => {
    for (let time = 0; time < times; time += 1) {
      const heal = await servers.disturb('mongo', 'timeout', { timeout: 100 });
      await pause(1000);
      await heal();
      await pause(1500);
    }
    return nothing;
  };

async function mongoCommand(stage: FaultStage, document: Record<string, unknown>): Promise<void> {
  const url = String(stage.platform.servers['MONGODB_URL']);
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  try {
    await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}

/** The server fails a share of its commands: MongoDB's failCommand. @param data such as `{ failCommands: ['insert'], closeConnection: true }` */
export const failingCommands =
  (share: number, data: Record<string, unknown>): Break =>
  async (stage) => {
    await mongoCommand(stage, { configureFailPoint: 'failCommand', mode: { activationProbability: share }, data });
    return () => mongoCommand(stage, { configureFailPoint: 'failCommand', mode: 'off' });
  };

/** Has Redis carry out one command, as an inline command of its protocol. @returns the first line of the reply @throws Error when it is an error, or does not come */
export function redisCommand(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`Redis did not respond with ${command}`)));
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      const line = String(reply).split('\r\n', 1)[0] ?? '';
      if (line.startsWith('-')) reject(new Error(`${command}: ${line}`));
      else resolve(line);
    });
  });
}

/** One command of Redis, and another one that heals. */
export const redis =
  (command: string, healing: string): Break =>
  async ({ platform }) => {
    const url = String(platform.servers['REDIS_URL']);
    await redisCommand(url, command);
    return async () => void (await redisCommand(url, healing));
  };

/** The disk of a server is full. */
export const outOfDisk =
  (name: string): Break =>
  async ({ servers }) => {
    const giveBack = fillDisk(await servers.pidOf(name));
    return async () => giveBack();
  };
