import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { type Child, endChild } from './child-server.ts';

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

function configuration({ directory, http }: NginxOptions): string {
  return `daemon off; master_process off; worker_processes 1; pid ${join(directory, 'pid')}; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 1000s;
  ${TEMPORARY.map((name) => `${name}_temp_path ${join(directory, name)};`).join(' ')}
  ${http}
}
`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Starts an nginx of one worker, which is the process itself. @throws Error with its log when it does not listen */
export async function startNginx(options: NginxOptions): Promise<Child> {
  mkdirSync(options.directory, { recursive: true });
  const file = join(options.directory, 'nginx.conf');
  writeFileSync(file, configuration(options));
  const child = spawn(options.program, ['-p', options.directory, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-10_000);
  });
  try {
    await until(() => child.exitCode !== null || accepts(options.port), { what: 'nginx to listen' });
  } finally {
    if (child.exitCode !== null) log = `nginx ended with ${child.exitCode}: ${log}`;
  }
  if (child.exitCode !== null) throw new Error(log);
  return { pid: child.pid as number, info: undefined, stop: () => endChild(child) };
}
