import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Container, type Manifest, ofKind, type Workload } from '../checks/manifests.ts';
import { secretSamples } from '../checks/secret-samples.ts';
import type { Mount, Surroundings } from './enter-root.ts';
import type { Image } from './image.ts';

type Values = Readonly<Record<string, string>>;

/** What containers get in place of what only a cluster has. */
export interface Stage {
  readonly manifests: readonly Manifest[];
  readonly image: Image;
  /** Folder for the files of volumes. */
  readonly scratch: string;
  /** Settings that take the place of those of the overlay: where the servers are, and what is there. */
  readonly settings: Values;
  /** Secrets by the end of their name; the others are samples. */
  readonly secrets: Readonly<Record<string, Values>>;
  /** A file like /etc/hosts, with the Services. */
  readonly hosts: string;
}

type Volume = NonNullable<Workload['pod']['volumes']>[number];

function secretOf(stage: Stage, name: string): Values {
  const secrets = { ...secretSamples, ...stage.secrets };
  const known = Object.keys(secrets).find((each) => name.endsWith(`-${each}`));
  if (known === undefined) throw new Error(`The secret ${name} is not documented: add it to secret-samples.ts`);
  return secrets[known] as Values;
}

function configOf({ manifests }: Pick<Stage, 'manifests'>, name: string): Values {
  const found = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`There is no ConfigMap ${name}`);
  return found.data ?? {};
}

/** Makes the folder of a volume, which the group of the pod may use. */
function folderOf(path: string, mode: number, group: number): string {
  mkdirSync(path, { recursive: true });
  chownSync(path, 0, group);
  chmodSync(path, mode);
  return path;
}

function filesIn(path: string, files: Values, { defaultMode = 0o644 }: { defaultMode?: number }, group: number): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folderOf(path, 0o755, group), name);
    writeFileSync(file, content);
    chownSync(file, 0, group);
    chmodSync(file, defaultMode);
  }
  return path;
}

/** Where a volume is on this machine, and the options of its mount. */
function sourceOf(stage: Stage, { name, ...volume }: Volume, path: string, group: number): readonly [source: string, options: string] {
  const { emptyDir, secret, configMap, persistentVolumeClaim } = volume;
  if (emptyDir) return ['tmpfs', `mode=1777${emptyDir.sizeLimit ? `,size=${emptyDir.sizeLimit.replace(/i$/, '')}` : ''}`];
  if (secret) return [filesIn(path, secretOf(stage, secret.secretName), secret, group), 'ro'];
  if (configMap) return [filesIn(path, configOf(stage, configMap.name), configMap, group), 'ro'];
  if (persistentVolumeClaim) return [folderOf(path, 0o2775, group), 'rw'];
  throw new Error(`The volume ${name} is of a kind that this check cannot mount: add it to pod-container.ts`);
}

/** Environment as the kubelet makes it: that of the image, of ConfigMaps, then single variables. */
function environmentOf(stage: Stage, container: Container, podName: string): Record<string, string> {
  const env: Record<string, string> = { HOME: '/', ...stage.image.env };
  for (const { configMapRef } of container.envFrom ?? []) if (configMapRef) Object.assign(env, configOf(stage, configMapRef.name));
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { secretKeyRef: key, fieldRef } = valueFrom ?? {};
    const found = key ? secretOf(stage, key.name)[key.key] : fieldRef?.fieldPath === 'metadata.name' ? podName : (value ?? '');
    if (found !== undefined) env[name] = found;
    else throw new Error(`${container.name}: where ${name} comes from is not known: add it to pod-container.ts`);
  }
  return env;
}

/** How a container starts on this machine. */
export interface PodProcess {
  readonly surroundings: Surroundings;
  readonly command: readonly string[];
}

/**
 * What the kubelet would start for a container, as a process: with the user, rights, mounts and environment of the pod.
 * @param address where it listens: pods have the same ports, so each has an address of its own
 */
export function processOf(stage: Stage, { name, pod }: Workload, container: Container, address: string): PodProcess {
  const { runAsUser: id, runAsGroup: group = 0, fsGroup } = pod.securityContext ?? {};
  if (!id) throw new Error(`${name}: the pod names no user`);
  const env = environmentOf(stage, container, `${name}-0`);
  const { image, settings } = stage;
  const mounts = (container.volumeMounts ?? []).map(({ name: mounted, mountPath, readOnly }): Mount => {
    const volume = pod.volumes?.find((each) => each.name === mounted);
    if (volume === undefined) throw new Error(`${name}: there is no volume ${mounted}`);
    const [source, options] = sourceOf(stage, volume, join(stage.scratch, name, mounted), fsGroup ?? group);
    return [source, mountPath, readOnly && source !== 'tmpfs' ? 'ro' : options];
  });
  const replaced = Object.fromEntries(Object.entries(settings).filter(([setting]) => Object.hasOwn(env, setting)));
  const args = (container.args ?? image.args).map((each) => each.replace(/\$\((\w+)\)/g, (whole, variable) => env[variable] ?? whole));
  return {
    surroundings: {
      root: image.root,
      readOnlyRoot: container.securityContext?.readOnlyRootFilesystem === true,
      mounts: [[stage.hosts, '/etc/hosts', 'ro'], ...mounts],
      user: { id, group, groups: fsGroup === undefined ? [] : [fsGroup] },
      folder: image.folder,
      env: { ...env, ...replaced, HOST: address, SERVICE_HOST: address, ADMIN_HOST: address },
    },
    command: [...(container.command ?? image.command), ...args],
  };
}
