import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { read, root } from './testing/documents.ts';

/* How the clients are published: what the page says is what the workflow does, and what can be tried without publishing works. */

const workflow = read('.github/workflows/clients.yml');
const [, section = ''] = /\n## Publishing the clients\n([\s\S]*?)\n## /.exec(read('docs/releasing.md')) ?? [];

/** Lines of the steps of the workflow that do something, without those that check its tag. */
const steps = [...workflow.matchAll(/run: \|\n((?: {10}.*\n)+)/g)]
  .flatMap(([, block = '']) => block.trimEnd().split('\n'))
  .map((line) => line.trim())
  .filter((line) => !/^(\[\[|version=|grep )/.test(line));

test('the page has the commands of the workflow, in their order', () => {
  const shown = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(steps);
});

test('both clients have the version of the platform', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(JSON.parse(read('packages/sdk/package.json'))).toMatchObject({ version });
  expect(read('clients/python/src/parcelway/_version.py')).toContain(`__version__ = "${version}"\n`);
});

test('the package for Node has its sources, its licence and no test', () => {
  const args = ['pack', '--dry-run', '--json', '--workspace', '@parcelway/sdk', '--ignore-scripts'];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', timeout: 60_000 })) as [
    { files: { path: string }[] },
  ];
  const paths = packed.files.map(({ path }) => path);
  for (const path of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.mjs', 'dist/index.d.ts', 'dist/index.d.mts', 'src/index.ts'])
    expect(paths).toContain(path);
  expect(paths.filter((path) => /\.test\.|\/testing\/|tsbuildinfo/.test(path))).toEqual([]);
  expect(read('packages/sdk/LICENSE')).toBe(read('LICENSE'));
}, 90_000);
