import { readFileSync } from 'node:fs';
import type { LoadFnOutput, LoadHookContext } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';

const root = new URL('../../../', import.meta.url).href;
/** What tsc wrote of our services and packages. */
const OURS = /^((?:services|packages)\/[^/]+)\/dist\/(.+)\.js$/;
const everyFunction = process.env['PATHS_EVERY_FUNCTION'] === 'true';

/** Loads modules of ours instrumented, under the names of their sources. A hook of `module.register`. */
export async function load(
  url: string,
  context: LoadHookContext,
  next: (url: string, context: LoadHookContext) => LoadFnOutput | Promise<LoadFnOutput>,
): Promise<LoadFnOutput> {
  const [, workspace, path] = (url.startsWith(root) && OURS.exec(url.slice(root.length))) || [];
  if (workspace === undefined) return next(url, context);
  const source = instrument(readFileSync(fileURLToPath(url), 'utf8'), `${workspace}/src/${path}.ts`, everyFunction);
  return { format: 'module', source, shortCircuit: true };
}
