import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/* What the image must hold for its programs to start. That it has the packages that they load is a rule of `npm run layers`. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The workspace that the image is made of; it brings in the others. */
const IMAGE_WORKSPACE = 'services/all-in-one';

/** Files of a folder, with all that is below it. */
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

describe('the image', () => {
  test('has every program that its users start', () => {
    const users = ['Dockerfile', 'docker-compose.yml', 'docs/containers.md', ...filesBelow('k8s').filter((name) => name.endsWith('.yaml'))];
    const programs = new Set(users.flatMap((name) => read(name).match(/\b(?:services|packages)\/[a-z/-]+\/dist\/[a-z/-]+\.js\b/g) ?? []));
    expect(programs).toContain('services/all-in-one/dist/healthcheck.js');
    const sourceOf = (program: string): string => join(root, program.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    expect([...programs].filter((program) => !existsSync(sourceOf(program)))).toEqual([]);
  });

  test('has parcelctl on the path: a file of the workspace that it is made of, which may be run', () => {
    const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/parcelctl/.exec(read('Dockerfile')) ?? [];
    const { bin } = JSON.parse(read(`${IMAGE_WORKSPACE}/package.json`)) as { bin: { parcelctl: string } };
    expect(target).toBe(join(IMAGE_WORKSPACE, bin.parcelctl));
    expect(statSync(join(root, target)).mode & 0o111).toBe(0o111);
    const [, main = ''] = /new URL\('\.\.\/dist\/([^']+)\.js'/.exec(read(target)) ?? [];
    expect(existsSync(join(root, IMAGE_WORKSPACE, 'src', `${main}.ts`))).toBe(true);
  });
});
