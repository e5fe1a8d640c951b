import { type Container, type Manifest, ofKind, type Workload, workloadsOf } from './manifests.ts';

/* What no other check finds: `check:cluster` starts every container and asks its probes, kube-score knows the habits of the field. */

/** A process that received a signal to stop has ended after this at the latest (packages/platform/src/process.ts). */
const STOP_SECONDS = 25;

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
    'gets a token of the cluster': pod.automountServiceAccountToken === false,
    'gets the variables of Services': pod.enableServiceLinks === false,
    'shares the network or the processes of its node': !pod.hostNetwork && !pod.hostPID,
    'mounts a path of its node': (pod.volumes ?? []).every(({ hostPath }) => hostPath === undefined),
  };
  return Object.keys(rules).filter((problem) => rules[problem] === false);
}

function containerHardening({ securityContext: context, args = [] }: Container): string[] {
  const rules: Record<string, boolean> = {
    'can gain privileges': context?.allowPrivilegeEscalation === false && context.privileged !== true,
    'has capabilities': (context?.capabilities?.drop ?? []).includes('ALL') && (context?.capabilities?.add ?? []).length === 0,
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
    const has = (port: string | number) =>
      target?.pod.containers.some(({ ports = [] }) => ports.some(({ name, containerPort }) => port === name || port === containerPort));
    const lost = spec.ports.filter(({ targetPort }) => !has(targetPort));
    return lost.map(({ targetPort }) => `Service ${metadata.name} leads to port ${targetPort}, which its pods do not have`);
  });
  const addresses = ofKind(manifests, 'ConfigMap').flatMap(({ data }) =>
    Object.entries(data ?? {}).filter(([name, url]) => /^[A-Z_]+_URL$/.test(name) && name !== 'PUBLIC_BASE_URL' && !reached.has(url)),
  );
  return [...wrong, ...addresses.map(([name, url]) => `${name} is ${url}, where no Service is`)];
}

/** @returns a sentence for everything about pods that is not as it has to be: ends, memory, rights, Services */
export function podProblems(manifests: readonly Manifest[]): readonly string[] {
  // Servers for trying are images of others, and write beside their programs.
  const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'StatefulSet');
  const found = workloads.flatMap((workload) => {
    const { pod, kind, name } = workload;
    const ofContainers = [...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) => [
      ...containerHardening(container),
      ...memoryProblems(container),
      ...(kind === 'Deployment' ? endingProblems(workload, container) : []),
    ]);
    return [...podHardening(workload), ...ofContainers].map((problem) => `${name}: ${problem}`);
  });
  return [...found, ...serviceProblems(manifests)];
}
