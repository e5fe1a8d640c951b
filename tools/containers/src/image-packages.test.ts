import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/* What the image must hold for its programs to start, as far as that is known without an engine. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The workspace that the image is made of; it brings in the others. */
const IMAGE_WORKSPACE = 'services/all-in-one';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (workspace: string): Manifest => JSON.parse(read(`${workspace}/package.json`)) as Manifest;
const workspaces = ['packages', 'services'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
const byName = new Map(workspaces.map((workspace) => [manifestOf(workspace).name, workspace]));

/** A workspace, and those that it needs. */
function withOthers(workspace: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const needed = Object.keys(manifestOf(workspace).dependencies ?? {}).flatMap((name) => byName.get(name) ?? []);
  return needed.reduce((all, one) => (all.has(one) ? all : withOthers(one, all)), new Set([...known, workspace]) as ReadonlySet<string>);
}

/** Workspaces that npm installs into the image. Those of pages are there for what Vite has built, with what they import inside. */
const PAGES = ['packages/page', 'packages/console', 'packages/station', 'packages/operator', 'packages/docs-site'];
const shipped = [...withOthers(IMAGE_WORKSPACE)].filter((workspace) => !PAGES.includes(workspace));

/** Sources of a workspace that the image has built: `.dockerignore` leaves out the others. */
function sourcesOf(workspace: string): string[] {
  return readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|conformance)\.ts$/.test(name) && !/(^|\/)testing\//.test(name))
    .map((name) => `${workspace}/src/${name}`);
}

const IMPORTS = [
  /^(?:import|export) (?!type )(?:[^;']*? from )?'([^'.][^']*)'/gm,
  /\bimport\('([^'.][^']*)'\)/g,
  /\.resolve\('([^'.][^']*)'\)/g,
];

/** Packages whose code a source loads when it runs; types are gone by then. */
function packagesLoadedBy(source: string): string[] {
  const text = read(source);
  return IMPORTS.flatMap((imports) => [...text.matchAll(imports)].map(([, module]) => module as string))
    .filter((module) => !isBuiltin(module))
    .map((module) => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module);
}

/** Files of a folder, with all that is below it. */
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

describe('the image', () => {
  test.each(shipped)('has every package that %s loads: it is a dependency, and not one of development', (workspace) => {
    const { name, dependencies = {} } = manifestOf(workspace);
    const loaded = new Set(sourcesOf(workspace).flatMap(packagesLoadedBy));
    expect([...loaded].filter((each) => each !== name && !Object.hasOwn(dependencies, each))).toEqual([]);
  });

  test('the imports are seen: of a value, of a later moment, of a file', () => {
    const loaded = (source: string): string[] => packagesLoadedBy(`services/${source}.ts`);
    expect(loaded('all-in-one/src/services')).toContain('@parcelway/service-gateway');
    expect(loaded('gateway/src/site/adapters/static-files')).toContain('@parcelway/console');
  });

  test('has every program that its users start', () => {
    const users = ['Dockerfile', 'docker-compose.yml', 'docs/containers.md', ...filesBelow('k8s').filter((name) => name.endsWith('.yaml'))];
    const programs = new Set(users.flatMap((name) => read(name).match(/\b(?:services|packages)\/[a-z/-]+\/dist\/[a-z/-]+\.js\b/g) ?? []));
    expect(programs).toContain('services/all-in-one/dist/healthcheck.js');
    const missing = [...programs].filter((program) => {
      const built = shipped.some((workspace) => program.startsWith(`${workspace}/dist/`));
      return !built || !existsSync(join(root, program.replace('/dist/', '/src/').replace(/\.js$/, '.ts')));
    });
    expect(missing).toEqual([]);
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
