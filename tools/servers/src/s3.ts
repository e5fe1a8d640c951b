import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram } from './artifact.ts';
import { S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY } from './places.ts';
import type { Server } from './server.ts';
import { httpCheck } from './wait-until.ts';

/** Built in about a minute; each object is a file with its metadata in extended attributes. */
const artifact = goProgram({
  name: 'versitygw',
  version: 'v1.7.0',
  from: 'github.com/versity/versitygw/cmd/versitygw',
  deadlineMs: 15 * 60_000,
});

/** An S3 server. */
export function s3Server({ port }: { port: number }): Server {
  return {
    name: 's3',
    artifact,
    ports: [port],
    startDeadlineMs: 60_000,
    prepare: async ({ program, directory }) => ({
      command: [
        join(program, 'versitygw'),
        ...['--port', `127.0.0.1:${port}`, '--region', S3_REGION, '--health', '/health', '--keep-alive', '--quiet'],
        ...['--iam-dir', folderIn(directory, 'iam'), 'posix', folderIn(directory, 'objects')],
      ],
      env: { ROOT_ACCESS_KEY: S3_ACCESS_KEY, ROOT_SECRET_KEY: S3_SECRET_KEY },
    }),
    check: () => httpCheck(`http://127.0.0.1:${port}/health`),
  };
}

function folderIn(directory: string, name: string) {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
