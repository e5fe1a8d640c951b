import { readFile } from 'node:fs/promises';
import type { LoadFnOutput, LoadHookContext, ResolveFnOutput, ResolveHookContext } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { temporary } from './scope.ts';

/* Hooks of Node's module loader: tests run outside Jest, in one process, as often as there are mutants. */

/** The hook after this one. */
type NextHook<Output, Context> = (name: string, context?: Partial<Context>) => Output | Promise<Output>;

const globals = new URL('./jest-globals.js', import.meta.url).href;
/** Where the mutated copies of the sources lie. */
const sandboxes = pathToFileURL(temporary).href;

/**
 * Resolves `@jest/globals` to our own module, and gives every file of the sandbox the generation (`?g=`) of the file that imports
 * it. A new generation loads those files again; packages outside the sandbox are loaded once.
 * @public called by Node
 */
export async function resolve(
  specifier: string,
  context: ResolveHookContext,
  next: NextHook<ResolveFnOutput, ResolveHookContext>,
): Promise<ResolveFnOutput> {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  const resolved = await next(specifier, context);
  const generation = context.parentURL && new URL(context.parentURL).searchParams.get('g');
  const mutated = resolved.url.startsWith(sandboxes);
  return generation && mutated ? { ...resolved, url: `${resolved.url.split('?')[0]}?g=${generation}` } : resolved;
}

/** Removes the types of TypeScript files, as @swc/jest does. @public called by Node */
export async function load(url: string, context: LoadHookContext, next: NextHook<LoadFnOutput, LoadHookContext>): Promise<LoadFnOutput> {
  const [file = ''] = url.split('?');
  if (!file.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await toJavaScript(fileURLToPath(file)), shortCircuit: true };
}

/** File → its JavaScript: each generation needs it again. */
const compiled = new Map<string, Promise<string>>();

function toJavaScript(file: string): Promise<string> {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const code = compile(file);
  compiled.set(file, code);
  return code;
}

async function compile(filename: string) {
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'es6' },
    sourceMaps: 'inline',
    swcrc: false,
  });
  return code;
}
