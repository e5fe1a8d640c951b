import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Artifact, ensureArtifact, toolsCache } from '@parcelway/tools-servers/artifact';
import { runCommand } from '@parcelway/tools-servers/run-command';
import { downloadGoModule } from '../kubernetes-tools.ts';

/** On a machine that others use as well. */
const BUILD_DEADLINE_MS = 120 * 60_000;
const VERSION = 'v1.36.1';
const version = 'k8s.io/component-base/version';
const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(VERSION) ?? [];

/** Programs of a Go module that `go install` refuses, because its go.mod replaces other modules: their published versions stand in. */
interface Built {
  readonly module: string;
  readonly version: string;
  readonly packages: readonly string[];
  readonly ldflags?: readonly string[];
}

const kubernetes: Built = {
  module: 'k8s.io/kubernetes',
  version: VERSION,
  packages: ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map((name) => `k8s.io/kubernetes/cmd/${name}`),
  ldflags: [`-X ${version}.gitVersion=${VERSION}`, `-X ${version}.gitMajor=${major}`, `-X ${version}.gitMinor=${minor}`],
};
const etcd: Built = { module: 'go.etcd.io/etcd/server/v3', version: 'v3.6.5', packages: ['go.etcd.io/etcd/server/v3'] };
const kwok: Built = { module: 'sigs.k8s.io/kwok', version: 'v0.7.0', packages: ['sigs.k8s.io/kwok/cmd/kwok'] };
const builds = { kubernetes, etcd, kwok };

/** The modules that a go.mod takes from its own repository: the published version has the number of the module, with major version 0. */
function replacements(goMod: string): string[] {
  const staged = VERSION.replace(/^v1/, 'v0');
  return [...goMod.matchAll(/^\s+(\S+) => \.\/staging\//gm)].map(([, name]) => `replace ${name} => ${name} ${staged}`);
}

function artifactOf(name: string, { module, version, packages, ldflags = [] }: Built): Artifact {
  return {
    name: `cluster-${name}-${version}`,
    make: async (folder) => {
      const goMod = readFileSync(join(await downloadGoModule(`${module}@${version}`), 'go.mod'), 'utf8');
      const [go = ''] = /^go .*$/m.exec(goMod) ?? [];
      const wrapper = join(folder, 'module');
      mkdirSync(wrapper);
      const lines = ['module parcelway.invalid/cluster', go, `require ${module} ${version}`, ...replacements(goMod)];
      writeFileSync(join(wrapper, 'go.mod'), `${lines.join('\n')}\n`);
      const flags = ['-mod=mod', '-p=2', '-trimpath', `-ldflags=${['-s -w', ...ldflags].join(' ')}`];
      const env = { GOBIN: folder, CGO_ENABLED: '0' };
      await runCommand(['nice', '-n', '15', 'go', 'install', ...flags, ...packages], { deadlineMs: BUILD_DEADLINE_MS, cwd: wrapper, env });
      rmSync(wrapper, { recursive: true });
      // Go names it after the last part of its package's path.
      if (name === 'etcd') renameSync(join(folder, 'server'), join(folder, name));
    },
  };
}

const artifacts = Object.entries(builds).map(([name, built]) => artifactOf(name, built));

/** Whether the programs of a cluster are here, so that nothing has to be built. */
export function hasClusterPrograms(): boolean {
  return artifacts.every(({ name }) => existsSync(join(toolsCache(), name)));
}

/**
 * Gets etcd, the API server, its controllers, kubectl and KWOK: built once for this user, which takes 15 minutes on two cores.
 * @returns absolute folders, for `PATH`
 */
export async function ensureClusterPrograms(): Promise<string[]> {
  const folders: string[] = [];
  for (const artifact of artifacts) folders.push(await ensureArtifact(toolsCache(), artifact));
  return folders;
}
