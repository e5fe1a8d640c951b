import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureArtifact, goProgram, toolsCache } from '@parcelway/tools-servers/artifact';
import { runCommand } from '@parcelway/tools-servers/run-command';
import { parseAllDocuments } from 'yaml';
import { type CustomResourceDefinition, type Swagger, schemasOfCustomResource, schemasOfSwagger } from './strict-schema.ts';

const BUILD_DEADLINE_MS = 10 * 60_000;
const DOWNLOAD_DEADLINE_MS = 5 * 60_000;

/**
 * Downloads a Go module into Go's own cache; Go checks its sum against its checksum database.
 * @param module with its version, such as `k8s.io/kubernetes@v1.30.14`
 * @returns the folder of its files
 */
export async function downloadGoModule(module: string): Promise<string> {
  const output = await runCommand(['go', 'mod', 'download', '-json', module], { deadlineMs: DOWNLOAD_DEADLINE_MS });
  const [, folder] = /"Dir": "([^"]+)"/.exec(output) ?? [];
  if (folder === undefined) throw new Error(`go mod download does not say where ${module} is`);
  return folder;
}

const program = (name: string, version: string, from: string) => goProgram({ name, version, from, deadlineMs: BUILD_DEADLINE_MS });

/** Each is built from its Go module, once. */
const programs = {
  kustomize: program('kustomize', 'v5.8.1', 'sigs.k8s.io/kustomize/kustomize/v5'),
  kubeconform: program('kubeconform', 'v0.7.0', 'github.com/yannh/kubeconform/cmd/kubeconform'),
  'kube-score': program('kube-score', 'v1.20.0', 'github.com/zegl/kube-score/cmd/kube-score'),
};

/** Paths of the programs, and of the folder of schemas. */
export type KubernetesTools = Readonly<Record<keyof typeof programs | 'schemas', string>>;

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

/** Files of the custom resources of the optional parts. */
export async function customResourceFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const [module, files] of Object.entries(customResources)) {
    const source = await downloadGoModule(module);
    found.push(...files.map((file) => join(source, file)));
  }
  return found;
}

/** The documents of a YAML file. @throws YAMLParseError */
export const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS();
  });

/** Schemas of every kind of the versions and custom resources above, so that checking needs no network. */
const schemas = {
  // Raise the number when the conversion changes: the versions are in the name already.
  name: `kubernetes-schemas-1-${kubernetesVersions.join('-')}`,
  make: async (folder: string) => {
    const write = (directory: string, files: Iterable<readonly [name: string, schema: unknown]>) => {
      mkdirSync(join(folder, directory), { recursive: true });
      for (const [name, schema] of files) writeFileSync(join(folder, directory, name), JSON.stringify(schema));
    };
    for (const version of kubernetesVersions) {
      const module = await downloadGoModule(`k8s.io/kubernetes@${version}`);
      const swagger = readFileSync(join(module, 'api/openapi-spec/swagger.json'), 'utf8');
      write(version, schemasOfSwagger(JSON.parse(swagger) as Swagger));
    }
    for (const file of await customResourceFiles()) {
      const [definition] = documentsOf(file);
      write('custom', schemasOfCustomResource(definition as CustomResourceDefinition));
    }
  },
};

/**
 * Gets what the checks of k8s/ need, once for this user.
 * @returns absolute paths
 * @throws Error that says what to install when they cannot be had
 */
export async function ensureKubernetesTools(): Promise<KubernetesTools> {
  const paths: Record<string, string> = {};
  // One after the other: each build uses every core.
  for (const [name, artifact] of Object.entries(programs)) paths[name] = join(await ensureArtifact(toolsCache(), artifact), name);
  return { ...(paths as Record<keyof typeof programs, string>), schemas: await ensureArtifact(toolsCache(), schemas) };
}
