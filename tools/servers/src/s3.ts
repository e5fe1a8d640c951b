import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY } from './environment.ts';
import { goProgram } from './go-program.ts';
import { httpCheck } from './http-check.ts';
import type { Server } from './server.ts';

/** Kept up by its makers and built in about a minute; each object is a file with its metadata in extended attributes. */
const versitygw = {
  artifact: goProgram({
    name: 'versitygw',
    version: 'v1.7.0',
    package: 'github.com/versity/versitygw/cmd/versitygw',
    deadlineMs: 15 * 60_000,
  }),
  health: '/health',
  command: (program: string, directory: string, port: number) => [
    join(program, 'versitygw'),
    ...['--port', `127.0.0.1:${port}`, '--region', S3_REGION, '--health', '/health', '--keep-alive', '--quiet'],
    ...['--iam-dir', folderIn(directory, 'iam'), 'posix', folderIn(directory, 'objects')],
  ],
  env: { ROOT_ACCESS_KEY: S3_ACCESS_KEY, ROOT_SECRET_KEY: S3_SECRET_KEY },
};

/** The last of the community edition, which has no releases any more. */
const minio = {
  artifact: goProgram({
    name: 'minio',
    version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
    package: 'github.com/minio/minio',
    deadlineMs: 40 * 60_000,
  }),
  health: '/minio/health/ready',
  command: (program: string, directory: string, port: number) => [
    join(program, 'minio'),
    ...['server', folderIn(directory, 'objects'), '--address', `127.0.0.1:${port}`, '--quiet'],
  ],
  env: {
    MINIO_ROOT_USER: S3_ACCESS_KEY,
    MINIO_ROOT_PASSWORD: S3_SECRET_KEY,
    MINIO_REGION: S3_REGION,
    MINIO_BROWSER: 'off',
    MINIO_UPDATE: 'off',
  },
};

const kinds = { versitygw, minio };

/** An S3 server. */
export function s3Server({ port }: { port: number }, kind: 'versitygw' | 'minio'): Server {
  const { artifact, health, command, env } = kinds[kind];
  return {
    name: 's3',
    artifact,
    ports: [port],
    startDeadlineMs: 60_000,
    prepare: async ({ program, directory }) => ({ command: command(program, directory, port), env }),
    check: () => httpCheck(`http://127.0.0.1:${port}${health}`),
  };
}

function folderIn(directory: string, name: string) {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
