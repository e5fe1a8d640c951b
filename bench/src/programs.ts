import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from './child.ts';

/** Where a program is; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not for us: the same to who looks for a program.
    return false;
  }
}

/** Said when a program of the comparison is not installed. */
export const INSTALL_HINT = 'install it with: apt-get install -y nginx-light wrk';

/** What wrk measured. */
interface WrkResult {
  readonly requests: number;
  readonly perSecond: number;
}

/** Reads wrk's report. @throws Error when some responses were no success, or it has no figures */
function parseWrk(report: string): WrkResult {
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(report);
  if (failed) throw new Error(`${failed[1]} responses were no success`);
  const errors = /Socket errors: (.*)/.exec(report);
  if (errors) throw new Error(`Connections failed: ${errors[1]}`);
  const requests = /(\d+) requests in /.exec(report);
  const perSecond = /Requests\/sec:\s+([\d.]+)/.exec(report);
  if (requests === null || perSecond === null) throw new Error(`No report of wrk:\n${report}`);
  return { requests: Number(requests[1]), perSecond: Number(perSecond[1]) };
}

/** GETs one address over 50 connections that stay open, from one thread. @param seconds whole */
export async function wrk(url: string, seconds: number, headers: Readonly<Record<string, string>> = {}): Promise<WrkResult> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return parseWrk(await runProgram('wrk', ['-t1', '-c50', `-d${seconds}s`, ...named, url]));
}
