import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/* What the workflows of GitHub and the images of containers must keep to. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');
const workflows = readdirSync(`${root}.github/workflows`).map((name) => `.github/workflows/${name}`);

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

  test('puts nothing that an outsider writes into a shell', () => {
    for (const block of workflow.matchAll(/run: (?:\|\n((?: {10,}.*\n|\n)+)|(.+))/g)) expect(block[1] ?? block[2]).not.toContain('${{');
  });
});

test('images have a version or a digest, wherever they are named', () => {
  const files = readdirSync(`${root}k8s`, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  const found = [...files.map((name) => `k8s/${name}`), 'docker-compose.yml', 'Dockerfile'].flatMap((name) =>
    [...read(name).matchAll(/^\s*(?:- )?(?:image: *|ARG \w*_IMAGE=)["']?([^\s"'#]+)/gm)].map(([, image]) => image as string),
  );
  expect(found.length).toBeGreaterThan(5);
  // One that kustomize, a variable or an argument gives; a version, a digest, or what was built here.
  const pinned = /^parcelway$|^\$\{[A-Z_]+\}$|:local\}?$|@sha256:[0-9a-f]{64}\}?$|:v?\d+\.\d+\.\d+(-[\w.-]+)?\}?$/;
  expect(found.filter((image) => !pinned.test(image))).toEqual([]);
});
