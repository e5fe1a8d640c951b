import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const sources = dirname(dirname(fileURLToPath(import.meta.url)));
const swc = pathToFileURL(createRequire(import.meta.url).resolve('@swc/core')).href;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Lets a bare node process run the TypeScript sources. */
const loader = dataUrl(`
  import swc from '${swc}';
  import { fileURLToPath } from 'node:url';
  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } };
    return { format: 'module', shortCircuit: true, source: swc.transformFileSync(fileURLToPath(url), options).code };
  }`);
const register = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(loader)});`);

/**
 * Starts a process of its own, one that may be killed, over the sources of this package.
 * @param program a module that imports the sources as `./name.ts`; its standard output is a pipe
 * @param failpoint value of FAILPOINT
 */
export function spawnSource(program: string, failpoint: string): ChildProcess & { readonly stdout: NonNullable<ChildProcess['stdout']> } {
  const args = ['--conditions=source', '--import', register, '--input-type=module', '--eval', program];
  return spawn(process.execPath, args, {
    cwd: sources,
    env: { ...process.env, NODE_OPTIONS: '', FAILPOINT: failpoint },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
