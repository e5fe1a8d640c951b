import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/* What the workflows of GitHub and the images of containers must keep to. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');
const workflows = readdirSync(`${root}.github/workflows`).map((name) => `.github/workflows/${name}`);

/** Commands of the steps; a block counts as one. */
const commandsOf = (workflow: string): string[] =>
  [...workflow.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, command]) => (command as string).trim());

describe('CI', () => {
  test('runs what everybody runs, and nothing of its own', () => {
    expect(commandsOf(read('.github/workflows/ci.yml'))).toEqual(['.ci/run']);
  });

  test('runs on every change of main and every pull request', () => {
    const [, triggers = ''] = /\non:\n([\s\S]*?)\n\n/.exec(read('.github/workflows/ci.yml')) ?? [];
    expect(triggers).toContain('  push:\n    branches: [main]\n');
    expect(triggers).toContain('  pull_request:\n');
  });

  test('is what a release is tested by, before anything is published', () => {
    const release = read('.github/workflows/release.yml');
    expect(release).toContain('  test:\n    uses: ./.github/workflows/ci.yml\n');
    expect(release).toContain('  publish:\n    needs: test\n');
  });
});

describe.each(workflows)('%s', (name) => {
  const workflow = read(name);

  test('takes actions by commit, with the version for people', () => {
    const used = [...workflow.matchAll(/uses: (.+)$/gm)].map(([, action]) => action as string);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used.filter((each) => !each.startsWith('./')))
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may read and no more, unless a job says what for', () => {
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n$/m);
    expect(workflow).not.toContain('write-all');
    expect(workflow).not.toContain('pull_request_target');
  });

  test('leaves no key in the checkout, and ends', () => {
    const checkouts = workflow.match(/uses: actions\/checkout@/g)?.length ?? 0;
    expect(workflow.match(/persist-credentials: false/g)).toHaveLength(checkouts);
    expect(workflow.match(/timeout-minutes: \d+/g)).toHaveLength(workflow.match(/runs-on: /g)?.length ?? 0);
    expect(workflow).toMatch(/^concurrency:$/m);
  });

  test('uses the Node that the image is based on', () => {
    const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)/m.exec(read('Dockerfile')) ?? [];
    for (const [, used] of workflow.matchAll(/node-version: (.+)$/gm)) expect(used).toBe(version);
  });

  test('puts nothing that an outsider writes into a shell', () => {
    for (const block of workflow.matchAll(/run: (?:\|\n((?: {10,}.*\n|\n)+)|(.+))/g)) expect(block[1] ?? block[2]).not.toContain('${{');
  });
});

/** Image references, with the file that has them. */
function imageReferences(): (readonly [file: string, image: string])[] {
  const yaml = existsSync(`${root}k8s`)
    ? readdirSync(`${root}k8s`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.ya?ml$/.test(name))
        .map((name) => `k8s/${name}`)
    : [];
  const inYaml = [...yaml, 'docker-compose.yml'].flatMap((name) =>
    [...read(name).matchAll(/^\s*(?:- )?image:\s*["']?([^\s"'#]+)/gm)].map(([, image]) => [name, image as string] as const),
  );
  const tags = yaml.flatMap((name) =>
    [...read(name).matchAll(/newTag:\s*["']?([^\s"',}]+)/g)].map(([, tag]) => [name, `parcelway:${tag}`] as const),
  );
  const inDockerfile = [...read('Dockerfile').matchAll(/^ARG \w*_IMAGE=(\S+)$/gm)].map(
    ([, image]) => ['Dockerfile', image as string] as const,
  );
  return [...inYaml, ...tags, ...inDockerfile];
}

/** A version, a digest, an image that was built here, or a name that stands for one of them. */
function isPinned(image: string): boolean {
  const [, fallback] = /^\$\{[A-Z0-9_]+:-(.+)\}$/.exec(image) ?? [];
  if (fallback !== undefined) return isPinned(fallback);
  // The name that kustomize replaces, and an image that another argument gives.
  if (image === 'parcelway' || /^\$\{[A-Z_]+\}$/.test(image)) return true;
  return image === 'parcelway:local' || /@sha256:[0-9a-f]{64}$/.test(image) || /:v?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(image);
}

describe('images', () => {
  test('have a version or a digest, wherever they are named', () => {
    const found = imageReferences();
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(([, image]) => !isPinned(image))).toEqual([]);
  });

  test.each(['node:latest', 'node', 'node:20', 'mongo:7.0', 'ghcr.io/a/b:main', '\u0024{X_IMAGE:-redis:alpine}'])(
    '%s would be found',
    (image) => {
      expect(isPinned(image)).toBe(false);
    },
  );

  test('of a release are built on a base image by its digest', () => {
    expect(read('.github/workflows/release.yml')).toContain('--build-arg "NODE_IMAGE=$tag@$digest"');
  });
});
