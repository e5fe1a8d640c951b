import { adminPaths } from '@parcelway/platform/admin-server';
import { ConfigError, type Environ } from '@parcelway/platform/config';
import { loadSettings } from '@parcelway/platform/distributed';
import { loadGatewayConfig } from '../../../../services/gateway/src/config.ts';
import { definitions, environmentOf } from './check-environment.ts';
import { type Container, type Manifest, ofKind, type Probe, type Workload, workloadsOf } from './manifests.ts';

/** A process that received a signal to stop has ended after this at the latest (packages/platform/src/process.ts). */
const STOP_SECONDS = 25;

/** Each probe asks something else, or they would mean the same. */
const PROBES = { startupProbe: '/startupz', readinessProbe: '/readyz', livenessProbe: '/livez' } as const;

const portOf = (container: Container, port: string | number | undefined): number | undefined =>
  typeof port === 'number' ? port : container.ports?.find(({ name }) => name === port)?.containerPort;

function probeProblems(container: Container, adminPort: number): string[] {
  return Object.entries(PROBES).flatMap(([name, path]) => {
    const probe: Probe | undefined = container[name as keyof typeof PROBES];
    if (probe?.httpGet === undefined) return [`has no ${name}`];
    const { path: asked, port } = probe.httpGet;
    const problems: string[] = [];
    if (!(adminPaths as readonly string[]).includes(asked))
      problems.push(`${name} asks ${asked}; the admin port serves ${adminPaths.join(', ')}`);
    else if (asked !== path) problems.push(`${name} asks ${asked}, which says something else than ${path}`);
    if (portOf(container, port) !== adminPort) problems.push(`${name} asks port ${port}; the admin port is ${adminPort}`);
    return problems;
  });
}

const loadGatewayIfIt = (name: string, env: Environ): number | undefined => (name === 'gateway' ? loadGatewayConfig(env).port : undefined);

function settingsIfSound<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** Ports of the container, next to those where the service listens by its configuration. */
function portProblems(manifests: readonly Manifest[], workload: Workload, container: Container): string[] {
  const definition = definitions.get(workload.name);
  if (definition === undefined) return [`is no service: ${[...definitions.keys()].join(', ')}`];
  const env = environmentOf(manifests, workload, container, []);
  const read = settingsIfSound(() => ({ ...loadSettings(env, definition), public: loadGatewayIfIt(workload.name, env) }));
  // What is wrong with its variables, check-environment.ts says.
  if (read === undefined) return [];
  const { address, admin } = read;
  const listened: Record<string, number> = { service: address.port, admin: admin.port };
  if (read.public !== undefined) listened['public'] = read.public;
  const declared = Object.fromEntries((container.ports ?? []).map(({ name = '', containerPort }) => [name, containerPort]));
  const problems = Object.keys({ ...listened, ...declared })
    .filter((name) => listened[name] !== declared[name])
    .map((name) => `port ${name} is ${declared[name] ?? 'missing'}; the service listens at ${listened[name] ?? 'no port of this name'}`);
  for (const [host, server] of [
    [address.host, 'service port'],
    [admin.host, 'admin server'],
  ]) {
    if (host !== '0.0.0.0') problems.push(`${server} listens at ${host}, where nobody outside of the pod reaches it`);
  }
  return [...problems, ...probeProblems(container, admin.port)];
}

function endingProblems({ pod }: Workload, container: Container): string[] {
  const pause = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const needed = pause + STOP_SECONDS;
  const problems = pause > 0 ? [] : ['has no preStop pause: requests would still come after the signal'];
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  if (grace <= needed)
    problems.push(`is killed after ${grace} s; its pause of ${pause} s and its stop of ${STOP_SECONDS} s need more than ${needed}`);
  return problems;
}

function memoryProblems({ env = [], resources }: Container): string[] {
  const heap = Number(/--max-old-space-size=(\d+)/.exec(env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '')?.[1]);
  const limit = Number(/^(\d+)Mi$/.exec(resources?.limits?.['memory'] ?? '')?.[1]);
  if (!(heap > 0 && limit > 0)) return ['needs a memory limit in Mi and --max-old-space-size in NODE_OPTIONS'];
  return heap <= limit * 0.75 ? [] : [`has a heap of ${heap} MiB in ${limit} MiB of memory: it would be killed before it collects`];
}

/** Rules that hold for the pod, each with what is wrong when it does not. */
function podHardening({ pod }: Workload): string[] {
  const { securityContext: context } = pod;
  const rules: Record<string, boolean> = {
    'may run as root': context?.runAsNonRoot === true && (context.runAsUser ?? 0) > 0,
    'has no seccomp profile RuntimeDefault': context?.seccompProfile?.type === 'RuntimeDefault',
    'gets a token of the cluster': pod.automountServiceAccountToken === false,
    'gets the variables of Services': pod.enableServiceLinks === false,
    'shares the network or the processes of its node': !pod.hostNetwork && !pod.hostPID,
    'mounts a path of its node': (pod.volumes ?? []).every(({ hostPath }) => hostPath === undefined),
  };
  return Object.keys(rules).filter((problem) => rules[problem] === false);
}

function containerHardening({ securityContext: context, resources, image, args = [] }: Container): string[] {
  const rules: Record<string, boolean> = {
    'can write to its file system': context?.readOnlyRootFilesystem === true,
    'can gain privileges': context?.allowPrivilegeEscalation === false && context.privileged !== true,
    'has capabilities': (context?.capabilities?.drop ?? []).includes('ALL') && (context?.capabilities?.add ?? []).length === 0,
    'asks for no CPU or memory': resources?.requests?.['cpu'] !== undefined && resources.requests['memory'] !== undefined,
    // Made on the machine of whoever tries it on kind: no registry has another.
    [`runs ${image}, which names no version`]: image === 'parcelway:local' || /:[^/:]*\d[^/:]*$/.test(image),
    'names no program': args.length > 0,
  };
  return Object.keys(rules).filter((problem) => rules[problem] === false);
}

interface ServiceSpec {
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: ReadonlyArray<{ readonly name: string; readonly port: number; readonly targetPort: string | number }>;
}

/** Services lead to ports that exist, and addresses that pods are given to Services. */
function serviceProblems(manifests: readonly Manifest[]): string[] {
  const workloads = workloadsOf(manifests);
  const services = ofKind<ServiceSpec>(manifests, 'Service');
  const reached = new Set(services.flatMap(({ metadata, spec }) => spec.ports.map(({ port }) => `http://${metadata.name}:${port}`)));
  const wrong = services.flatMap(({ metadata, spec }) => {
    const target = workloads.find(({ labels }) => Object.entries(spec.selector).every(([name, value]) => labels[name] === value));
    if (target === undefined) return [`Service ${metadata.name} selects no pods`];
    const ports = spec.ports.filter(({ targetPort }) => target.pod.containers.every((each) => portOf(each, targetPort) === undefined));
    return ports.map(({ targetPort }) => `Service ${metadata.name} leads to port ${targetPort}, which its pods do not have`);
  });
  const addresses = ofKind(manifests, 'ConfigMap').flatMap(({ data }) =>
    Object.entries(data ?? {}).filter(([name]) => /^[A-Z_]+_URL$/.test(name)),
  );
  const lost = addresses.filter(([name, url]) => name !== 'PUBLIC_BASE_URL' && !reached.has(url));
  return [...wrong, ...lost.map(([name, url]) => `${name} is ${url}, where no Service is`)];
}

/** @returns a sentence for everything about pods that is not as it has to be: ports, probes, ends, memory, rights */
export function podProblems(manifests: readonly Manifest[]): readonly string[] {
  // Servers for trying are images of others, and write beside their programs.
  const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'StatefulSet');
  const found = workloads.flatMap((workload) => {
    const { pod, kind, name } = workload;
    const ofContainers = [...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) => [
      ...containerHardening(container),
      ...memoryProblems(container),
      ...(kind === 'Deployment' ? [...portProblems(manifests, workload, container), ...endingProblems(workload, container)] : []),
    ]);
    return [...podHardening(workload), ...ofContainers].map((problem) => `${name}: ${problem}`);
  });
  return [...found, ...serviceProblems(manifests)];
}
