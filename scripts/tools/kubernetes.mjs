import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureArtifact } from '../servers/artifact.mjs';
import { goProgram } from '../servers/go-program.mjs';
import { downloadGoModule } from './go-module.mjs';
import { schemasOfCustomResource, schemasOfSwagger } from './strict-schema.mjs';

const BUILD_DEADLINE_MS = 10 * 60_000;

const program = (name, version, goPackage) => goProgram({ name, version, package: goPackage, deadlineMs: BUILD_DEADLINE_MS });

/** Each is built from its Go module, once. */
const programs = {
  kustomize: program('kustomize', 'v5.8.1', 'sigs.k8s.io/kustomize/kustomize/v5'),
  kubeconform: program('kubeconform', 'v0.7.0', 'github.com/yannh/kubeconform/cmd/kubeconform'),
  'kube-score': program('kube-score', 'v1.20.0', 'github.com/zegl/kube-score/cmd/kube-score'),
  // Manifests and custom resources as JSON, for schemas and tests.
  yq: program('yq', 'v4.48.1', 'github.com/mikefarah/yq/v4'),
};

/** The oldest Kubernetes that runs the manifests, and one of the newest: what both accept is accepted between them. */
export const kubernetesVersions = ['v1.30.14', 'v1.36.1'];

/** Custom resources of the optional parts, by the Go module that publishes them. */
const customResources = {
  'github.com/kedacore/keda/v2@v2.18.1': [
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
};

/** A file of YAML documents as JSON. */
export function jsonOfYaml(yq, file) {
  const output = execFileSync(yq, ['eval-all', '--output-format=json', '--indent=0', '[.]', file], {
    maxBuffer: 64 * 2 ** 20,
    timeout: 60_000,
  });
  return JSON.parse(output.toString());
}

/** Schemas of every kind of the versions and custom resources above, so that checking needs no network. */
const schemas = (yq) => ({
  // Raise the number when the conversion changes: the versions are in the name already.
  name: `kubernetes-schemas-1-${kubernetesVersions.join('-')}`,
  make: async (folder) => {
    const write = (directory, files) => {
      mkdirSync(join(folder, directory), { recursive: true });
      for (const [name, schema] of files) writeFileSync(join(folder, directory, name), JSON.stringify(schema));
    };
    for (const version of kubernetesVersions) {
      const module = await downloadGoModule(`k8s.io/kubernetes@${version}`);
      write(version, schemasOfSwagger(JSON.parse(readFileSync(join(module, 'api/openapi-spec/swagger.json'), 'utf8'))));
    }
    for (const [module, files] of Object.entries(customResources)) {
      const source = await downloadGoModule(module);
      for (const file of files) write('custom', schemasOfCustomResource(jsonOfYaml(yq, join(source, file))[0]));
    }
  },
});

/**
 * Gets what the checks of k8s/ need, once for this user: `PARCELWAY_TOOLS_CACHE`, else `~/.cache/parcelway/tools`, keeps it.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Record<'kustomize' | 'kubeconform' | 'kube-score' | 'yq' | 'schemas', string>>} absolute paths
 * @throws {Error} that says what to install when they cannot be had
 */
export async function ensureKubernetesTools(env) {
  const cache = resolve(env.PARCELWAY_TOOLS_CACHE || join(homedir(), '.cache', 'parcelway', 'tools'));
  const tools = {};
  // One after the other: each build uses every core.
  for (const [name, artifact] of Object.entries(programs)) tools[name] = join(await ensureArtifact(cache, artifact), name);
  return { ...tools, schemas: await ensureArtifact(cache, schemas(tools.yq)) };
}
