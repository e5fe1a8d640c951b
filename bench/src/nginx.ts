import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startProgram, takesConnections } from './child.ts';

/** An nginx to start. */
export interface NginxOptions {
  /** Path of the program. */
  readonly program: string;
  /** A directory of its own, made when it does not exist. */
  readonly directory: string;
  readonly port: number;
  /** The contents of the http block. */
  readonly http: string;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts an nginx of one worker, which is the process itself. @throws Error with its log when it does not listen */
export function startNginx({ program, directory, port, http }: NginxOptions): Promise<Child> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${join(directory, 'pid')}; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 1000s;
  ${TEMPORARY.map((name) => `${name}_temp_path ${join(directory, name)};`).join(' ')}
  ${http}
}
`,
  );
  return startProgram([program, '-p', directory, '-e', 'stderr', '-c', file], { name: 'nginx', isReady: () => takesConnections(port) });
}
