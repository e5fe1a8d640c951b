import { readBackupSettings } from '@parcelway/platform/backup/distributed-settings';
import { ConfigError, type Environ } from '@parcelway/platform/config';
import { loadSettings } from '@parcelway/platform/distributed';
import { migrateSteps } from '@parcelway/platform/migrate';
import { secretVariables, withSecretFiles } from '@parcelway/platform/secret-files';
import type { ServiceDefinition } from '@parcelway/platform/service';
import { backServices, gateway } from '../../../../services/all-in-one/src/services.ts';
import { type Container, type Manifest, type Workload, workloadsOf } from './manifests.ts';
import { sampleOf } from './secret-samples.ts';

/** The services by their names. */
export const definitions: ReadonlyMap<string, ServiceDefinition> = new Map([gateway, ...backServices].map((each) => [each.name, each]));

/** Read where no configuration reader sees it: by runProcess, by Node itself, by setup-main. */
const READ_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  service: ['LOG_LEVEL', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
  migrate: ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'MONGODB_INITIATE'],
  // The name of its folder.
  backup: ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'POD_NAME'],
};

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** Key of a Secret that a file of the container holds, as `<secret>/<key>`; undefined when nothing is mounted there. */
function secretAt({ pod }: Workload, { volumeMounts = [] }: Container, file: string): string | undefined {
  const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
  const volume = pod.volumes?.find(({ name }) => name === mount?.name);
  if (mount === undefined || volume?.secret === undefined) return undefined;
  return `${volume.secret.secretName}/${file.slice(mount.mountPath.length + 1)}`;
}

/** The environment that a container gets, secrets from samples; what cannot be resolved goes to `problems`. */
export function environmentOf(manifests: readonly Manifest[], workload: Workload, container: Container, problems: string[]): Environ {
  const environ: Record<string, string> = {};
  const resolve = (name: string, secret: string, optional = false): void => {
    const sample = sampleOf(secret);
    if (sample !== undefined) environ[name] = sample;
    else if (!optional) problems.push(`${name} comes from ${secret}, which docs/kubernetes.md does not have among the secrets`);
  };
  for (const { configMapRef } of container.envFrom ?? []) {
    const map = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name);
    if (map === undefined) problems.push(`ConfigMap ${configMapRef?.name} is not there`);
    Object.assign(environ, map?.data);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    const given = name.replace(/_FILE$/, '');
    if (secret !== undefined) resolve(name, `${secret.name}/${secret.key}`, secret.optional);
    else if (given !== name && (secretVariables as readonly string[]).includes(given)) {
      const key = secretAt(workload, container, value ?? '');
      if (key === undefined) problems.push(`${name} is ${value}, and no secret is mounted there`);
      else resolve(given, key);
    } else environ[name] = value ?? '';
  }
  return environ;
}

/** Runs readers of a configuration. @returns every variable that they read */
function readsOf(environ: Environ, readers: ReadonlyArray<(env: Environ) => unknown>, problems: string[]): ReadonlySet<string> {
  const read = new Set<string>();
  const watched = new Proxy(withSecretFiles(environ), {
    get(target, name) {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  for (const reader of readers) {
    try {
      reader(watched);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  return read;
}

/** Loads the configuration of a service; what is wrong with it goes to `problems`. @returns every variable that it reads */
export const serviceReads = (environ: Environ, definition: ServiceDefinition, problems: string[]): ReadonlySet<string> =>
  readsOf(environ, [(env) => loadSettings(env, definition)], problems);

/** What is not a service: the migrate step; the backup, whose pod is also that of a restore, which migrates. */
function jobReads(environ: Environ, name: string, problems: string[]): ReadonlySet<string> {
  const migrate = (env: Environ): unknown => migrateSteps(env, [...definitions.values()], quiet);
  return readsOf(environ, name === 'backup' ? [readBackupSettings, migrate] : [migrate], problems);
}

/** Where a variable of a container is set: the files of its ConfigMaps, or the workload for a secret. */
function placeOf(name: string, workload: Workload, { envFrom = [] }: Container): string {
  if ((secretVariables as readonly string[]).includes(name)) return `as ${name}_FILE in the ${workload.kind} ${workload.name}`;
  const maps = envFrom.map(({ configMapRef }) => (configMapRef?.name ?? '').replace(/-[a-z0-9]{10}$/, ''));
  const own = maps.filter((map) => map === workload.name).map((map) => `${map} (k8s/base/${map}/kustomization.yaml)`);
  const shared = maps.filter((map) => map !== workload.name).join(', ');
  return `in one of its ConfigMaps: ${[...own, `${shared} (k8s/base/kustomization.yaml, or the overlay's)`].join('; ')}`;
}

/** Says of a variable that lacks that it lacks, and where it would be set; what its reader says is what it would have to be. */
function withAbsence(problem: string, environ: Environ, workload: Workload, container: Container): string {
  const [, name = '', rest = ''] = /^([A-Z][A-Z0-9_]+) (?:is not set: it )?((?:must|signs) .*)$/s.exec(problem) ?? [];
  if (name === '' || environ[name]) return problem;
  return `${name} is not set: it ${rest}. Set it ${placeOf(name, workload, container)}`;
}

/**
 * Loads the configuration of every service and of the migrate step with the environment that its container gets.
 * @returns a sentence for each variable that lacks, is wrong, or is set and read by nobody
 */
export function environmentProblems(manifests: readonly Manifest[]): readonly string[] {
  const found: string[] = [];
  for (const workload of workloadsOf(manifests).filter(({ kind }) => kind !== 'StatefulSet')) {
    const definition = definitions.get(workload.name);
    for (const container of workload.pod.containers) {
      const problems: string[] = [];
      const environ = environmentOf(manifests, workload, container, problems);
      const read = definition === undefined ? jobReads(environ, workload.name, problems) : serviceReads(environ, definition, problems);
      const elsewhere = READ_ELSEWHERE[definition === undefined ? workload.name : 'service'] ?? [];
      const unread = Object.keys(environ).filter((name) => !read.has(name) && !elsewhere.includes(name));
      const reported = [...new Set(problems)].map((problem) => withAbsence(problem, environ, workload, container));
      reported.push(...unread.map((name) => `${name} is set, and nothing reads it`));
      found.push(...reported.map((problem) => `${workload.name}: ${problem}`));
    }
  }
  return found;
}
