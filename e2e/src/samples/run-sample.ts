import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program, type ProgramOptions, type ProgramRun } from '@parcelway/harness/program';
import type { SampleLanguage } from './documented-samples.ts';

/** Milliseconds that a sample may take: `go run` compiles it first, on a busy machine. */
const DEADLINE_MS = 60_000;

/** Runs a program to its end. It is ended after a minute. */
export const runProgram = (command: string, args: readonly string[], options: ProgramOptions): Promise<ProgramRun> =>
  Program.run(command, args, { ...options, withinMs: DEADLINE_MS });

/** How a language runs a file: what to install where it is missing, how to see that, the name of the file, and its command. */
interface Runner {
  readonly needs: string;
  readonly check: readonly string[];
  readonly file: (code: string) => string;
  readonly run: (file: string, caFile: string) => readonly [command: string, ...args: string[]];
}

/** Name of the public class. */
const javaFile = (code: string): string => `${/public (?:final )?class (\w+)/.exec(code)?.[1] ?? 'Sample'}.java`;

/** Language → how it runs. */
export const runners: Readonly<Record<SampleLanguage, Runner>> = {
  bash: { needs: 'curl', check: ['curl', '--version'], file: () => 'sample.sh', run: (file) => ['bash', file] },
  javascript: { needs: 'Node', check: ['node', '--version'], file: () => 'sample.mjs', run: (file) => ['node', file] },
  python: {
    needs: 'Python 3.9 with the package requests',
    check: ['python3', '-c', 'import requests'],
    file: () => 'sample.py',
    run: (file) => ['python3', file],
  },
  go: { needs: 'Go 1.21', check: ['go', 'version'], file: () => 'main.go', run: (file) => ['go', 'run', file] },
  java: { needs: 'a JDK 17', check: ['javac', '--version'], file: javaFile, run: (file) => ['java', file] },
  php: {
    needs: 'PHP 8 with its extension curl',
    check: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    file: () => 'sample.php',
    run: (file, caFile) => ['php', '-d', `curl.cainfo=${caFile}`, file],
  },
};

/** True when this machine can run a language. */
export function isInstalled(language: SampleLanguage): boolean {
  const [command = '', ...args] = runners[language].check;
  return spawnSync(command, args, { timeout: DEADLINE_MS }).status === 0;
}

/** Sources of the client for Python. */
export const clientForPython = fileURLToPath(new URL('../../../clients/python/src', import.meta.url));

/** What this machine lacks to run programs that use a client of the platform; undefined when it lacks nothing. */
export function lacksForClient(language: SampleLanguage): string | undefined {
  if (language !== 'python') return isInstalled(language) ? undefined : runners[language].needs;
  const env = { ...process.env, PYTHONPATH: clientForPython, PYTHONDONTWRITEBYTECODE: '1' };
  const { status } = spawnSync('python3', ['-c', 'import parcelway'], { env, timeout: DEADLINE_MS });
  return status === 0 ? undefined : 'Python 3.10 with the package httpx2';
}

/** Creates a folder for a sample and writes the sample into it. @returns its command */
function writeSample(language: SampleLanguage, code: string, cwd: string, env: Readonly<Record<string, string>>) {
  mkdirSync(cwd, { recursive: true });
  const file = runners[language].file(code);
  writeFileSync(join(cwd, file), code);
  return runners[language].run(file, env['CURL_CA_BUNDLE'] ?? '');
}

/** Writes a sample that does not end by itself into a folder, and makes what has to be made before it runs. @returns its command */
export async function prepareSample(language: SampleLanguage, code: string, cwd: string, env: Readonly<Record<string, string>>) {
  const command = writeSample(language, code, cwd, env);
  // A program that `go run` has compiled would outlive it.
  if (language !== 'go') return command;
  const built = await runProgram('go', ['build', '-o', 'built', runners.go.file(code)], { cwd, env });
  if (built.status !== 0) throw new Error(`go build ended with ${built.status}: ${built.stderr}`);
  return ['./built'] as const;
}

/** Writes a sample into a folder and runs it there. @param env whole environment */
export function runSample(language: SampleLanguage, code: string, cwd: string, env: Readonly<Record<string, string>>): Promise<ProgramRun> {
  const [command, ...args] = writeSample(language, code, cwd, env);
  return runProgram(command, args, { cwd, env });
}
