import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* The manifests that `npm run check:k8s` has built, as far as the checks look into them. */

/** One Kubernetes object. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels; readonly annotations?: Labels };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;

/** A variable of a container, with its value or where that is kept. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: SecretKey; readonly fieldRef?: { readonly fieldPath: string } };
}

export interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: ReadonlyArray<{ readonly configMapRef?: { readonly name: string } }>;
  readonly ports?: ReadonlyArray<{ readonly name?: string; readonly containerPort: number }>;
  readonly volumeMounts?: ReadonlyArray<{ readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }>;
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels };
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly privileged?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly fsGroup?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: ReadonlyArray<{
    readonly name: string;
    readonly secret?: { readonly secretName: string; readonly defaultMode?: number };
    readonly configMap?: { readonly name: string; readonly defaultMode?: number };
    readonly emptyDir?: { readonly sizeLimit?: string };
    readonly persistentVolumeClaim?: unknown;
    readonly hostPath?: unknown;
  }>;
}

/** A Deployment, StatefulSet, Job or CronJob: what starts pods. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  /** Labels of its pods. */
  readonly labels: Labels;
  readonly pod: PodSpec;
}

const folder = new URL('../../../../.cache/k8s/', import.meta.url);

/** What was built for a variant (see variants.ts). @throws Error when `npm run check:k8s` has not built it */
export function readManifests(variant: string): readonly Manifest[] {
  try {
    return JSON.parse(readFileSync(fileURLToPath(new URL(`${variant}.json`, folder)), 'utf8')) as Manifest[];
  } catch (cause) {
    throw new Error('These tests look at what npm run check:k8s builds; run that instead of jest alone', { cause });
  }
}

/** The objects of a kind. */
export function ofKind<Spec>(manifests: readonly Manifest[], kind: string): ReadonlyArray<Manifest & { readonly spec: Spec }> {
  return manifests.filter((manifest): manifest is Manifest & { spec: Spec } => manifest.kind === kind);
}

/** Everything that starts pods. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  const direct = ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) =>
    ofKind<PodOwner>(manifests, kind).map(({ metadata, spec }) => workloadOf(kind, metadata.name, spec)),
  );
  const timed = ofKind<{ readonly jobTemplate: { readonly spec: PodOwner } }>(manifests, 'CronJob');
  return [...direct, ...timed.map(({ kind, metadata, spec }) => workloadOf(kind, metadata.name, spec.jobTemplate.spec))];
}

interface PodOwner {
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
}

function workloadOf(kind: string, given: string, { template }: PodOwner): Workload {
  // The name of a Job ends with a hash of its settings.
  const name = kind === 'Job' ? given.replace(/-[a-z0-9]{10}$/, '') : given;
  return { kind, name, labels: template.metadata.labels, pod: template.spec };
}

/** The settings of all ConfigMaps together. */
export function settingsOf(manifests: readonly Manifest[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...ofKind(manifests, 'ConfigMap').map(({ data }) => data));
}

/** A copy in which one text is another: a fault that a test plants. @throws Error when the text is not there */
export function planted(manifests: readonly Manifest[], sound: unknown, fault: unknown): readonly Manifest[] {
  const text = JSON.stringify(manifests);
  const [before, after] = [sound, fault].map((part) => (typeof part === 'string' ? part : JSON.stringify(part).slice(1, -1)));
  const changed = text.replace(before as string, () => after as string);
  if (changed === text) throw new Error(`There is no ${before} to plant a fault in`);
  return JSON.parse(changed) as Manifest[];
}
