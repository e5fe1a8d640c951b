import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The examples in TypeScript of a document. */
function examplesIn(name: string): string[] {
  return [...readFileSync(join(root, name), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
}

test('every example of the SDK compiles against its types', () => {
  const examples = ['docs/sdk.md', 'packages/sdk/README.md'].flatMap(examplesIn);
  expect(examples.length).toBeGreaterThanOrEqual(7);
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Inside the repository, so that @parcelway/sdk is found.
  const directory = mkdtempSync(join(root, '.cache/sdk-examples-'));
  try {
    const compilerOptions = {
      noEmit: true,
      composite: false,
      declaration: false,
      sourceMap: false,
      rewriteRelativeImportExtensions: false,
      // The sources of the package, which is CommonJS, are checked along.
      verbatimModuleSyntax: false,
      // Each example stands for itself.
      moduleDetection: 'force',
      lib: ['es2023', 'dom', 'dom.iterable'],
    };
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['*.mts'] }),
    );
    for (const [index, example] of examples.entries()) writeFileSync(join(directory, `example-${index}.mts`), example);
    const run = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', directory], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(run.stdout).toBe('');
    expect(run.status).toBe(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 60_000);
