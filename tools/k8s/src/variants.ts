import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const optional = ['keda', 'pod-monitor', 'otlp', 'backup'];
const OVERLAYS = 'k8s/overlays';

/** The overlay that is no installation: the sandbox again, with servers for trying. */
const FOR_TRYING = 'kind';

/** One way to build k8s/: an overlay with optional parts. */
export interface Variant {
  readonly name: string;
  readonly overlay: string;
  /** Folder of the overlay, in the repository. */
  readonly folder: string;
  readonly components: readonly string[];
}

/** Overlays are found, not listed: one that an installation copied is checked like those that come with the product. */
function overlaysIn(): string[] {
  const path = fileURLToPath(new URL(`../../../${OVERLAYS}`, import.meta.url));
  return readdirSync(path)
    .filter((name) => ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].some((file) => existsSync(join(path, name, file))))
    .sort();
}

const plain = (overlay: string): Variant => ({ name: overlay, overlay, folder: `${OVERLAYS}/${overlay}`, components: [] });
const withAll = (variant: Variant): Variant => ({ ...variant, name: `${variant.name}-with-all`, components: optional });

/** Overlays of environments that may share a cluster. */
export const environments = overlaysIn().filter((name) => name !== FOR_TRYING);

/** Each overlay unchanged, and with every optional part. */
export const variants: readonly Variant[] = [
  ...overlaysIn().map((overlay) => plain(overlay)),
  ...environments.map((overlay) => withAll(plain(overlay))),
];

/** Where check:k8s leaves what it has built, in the folder of the repository. */
export const RENDERED = '.cache/k8s';

/**
 * Makes room for what is built: nothing of an earlier run may pass for the new.
 * @param root folder of the repository
 * @returns the folder
 */
export function emptyRendered(root: string): string {
  const folder = join(root, RENDERED);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The folder that kustomize builds for a variant: the overlay itself, or a copy to whose components the others are added, as
 * docs/kubernetes.md describes.
 */
export function sourceOf(root: string, { name, folder, components }: Variant): string {
  if (components.length === 0) return join(root, folder);
  const copy = join(root, RENDERED, `${name}.source`);
  cpSync(join(root, 'k8s'), join(copy, 'k8s'), { recursive: true });
  const added = components.map((each) => relative(folder, `k8s/components/${each}`));
  const [file = ''] = readdirSync(join(copy, folder)).filter((each) => /^kustomization(\.ya?ml)?$/i.test(each));
  const kustomization = parse(readFileSync(join(copy, folder, file), 'utf8')) as { readonly components?: readonly string[] };
  const all = [...new Set([...(kustomization.components ?? []), ...added])];
  writeFileSync(join(copy, folder, file), stringify({ ...kustomization, components: all }));
  return join(copy, folder);
}
