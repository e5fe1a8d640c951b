#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureArtifact } from '@parcelway/tools-servers/artifact';
// A container engine for a machine that reaches no image registry: see docs/containers.md.
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { placesOf } from '@parcelway/tools-servers/places';
import { say, step } from '@parcelway/tools-servers/progress';
import { composePlugin } from './compose-plugin.ts';
import { engineHost, engineProcess, startEngine, stopEngine } from './engine-process.ts';
import { buildLocalImages, localImages } from './local-images.ts';

const HELP = `A Docker engine in a network namespace of its own, with images made on this machine. Needs root.

  up             starts the engine and makes the images that it lacks
  exec COMMAND…  runs a command in the engine's namespace, with variables for docker, compose and testcontainers
  down [--keep]  ends the engine with all containers and deletes its images and volumes; --keep leaves them

PARCELWAY_ENGINE_DIR: where it keeps everything, else parcelway-engine in the folder for temporary files.
`;

const directory = resolve(process.env.PARCELWAY_ENGINE_DIR || join(tmpdir(), 'parcelway-engine'));
const { cache } = placesOf(process.env);

async function clientEnv() {
  return {
    DOCKER_HOST: engineHost(directory),
    DOCKER_CONFIG: await ensureArtifact(cache, composePlugin),
    // The engine's own builder: the other one is a program of its own.
    DOCKER_BUILDKIT: process.env.DOCKER_BUILDKIT ?? '0',
    // The container that would clean up after testcontainers comes from a registry.
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    ...localImages,
  };
}

async function up() {
  const env = await clientEnv();
  if (engineProcess(directory) === undefined) await step('the engine', () => startEngine(directory));
  await buildLocalImages(env, cache);
  say(`the engine is up: node tools/containers/dist/engine-main.js exec docker info`);
}

async function exec(command: readonly string[]) {
  const engine = engineProcess(directory);
  if (engine === undefined) throw new Error('the engine does not run; start it with "up"');
  const env = { ...process.env, ...(await clientEnv()) };
  const args = ['--target', String(engine.pid), '--net', '--', ...command];
  const child = spawn('nsenter', args, { stdio: 'inherit', env });
  // A signal of the terminal reaches the command as well; this process stays to report how it ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((done, failed) => {
    child.once('error', failed).once('close', (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

async function down(keep: boolean) {
  if (!(await stopEngine(directory))) say('the engine does not run');
  if (!keep) rmSync(directory, { recursive: true, force: true });
}

const [verb, ...rest] = process.argv.slice(2);
try {
  if (verb === 'up' && rest.length === 0) await up();
  else if (verb === 'exec' && rest.length > 0) await exec(rest);
  else if (verb === 'down' && (rest.length === 0 || (rest.length === 1 && rest[0] === '--keep'))) await down(rest[0] === '--keep');
  else {
    process.stdout.write(HELP);
    if (verb !== 'help') process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
