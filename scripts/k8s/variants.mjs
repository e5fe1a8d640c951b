import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const optional = ['keda', 'pod-monitor', 'otlp'];

/**
 * What is built and checked: each overlay as it stands, and with every optional part.
 * @typedef {{ name: string, overlay: string, components: readonly string[] }} Variant
 * @type {readonly Variant[]}
 */
export const variants = [
  { name: 'sandbox', overlay: 'sandbox', components: [] },
  { name: 'production', overlay: 'production', components: [] },
  { name: 'kind', overlay: 'kind', components: [] },
  { name: 'sandbox-with-all', overlay: 'sandbox', components: optional },
  { name: 'production-with-all', overlay: 'production', components: optional },
];

/** Where check:k8s leaves what it has built, in the folder of the repository. */
export const RENDERED = '.cache/k8s';

/**
 * Makes room for what is built: nothing of an earlier run may pass for the new.
 * @param {string} root folder of the repository
 * @returns {string} the folder
 */
export function emptyRendered(root) {
  const folder = join(root, RENDERED);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The folder that kustomize builds for a variant: the overlay itself, or a copy whose list of components is filled in, as
 * docs/kubernetes.md tells an operator to.
 * @param {string} root
 * @param {Variant} variant
 * @returns {string}
 */
export function sourceOf(root, { name, overlay, components }) {
  if (components.length === 0) return join(root, 'k8s/overlays', overlay);
  const copy = join(root, RENDERED, `${name}.source`);
  cpSync(join(root, 'k8s'), copy, { recursive: true });
  const file = join(copy, 'overlays', overlay, 'kustomization.yaml');
  const text = readFileSync(file, 'utf8');
  const filled = text.replace(/^components: \[\]$/m, `components: [${components.map((each) => `../../components/${each}`).join(', ')}]`);
  if (filled === text) throw new Error(`${file} has no line "components: []" to fill in`);
  writeFileSync(file, filled);
  return join(copy, 'overlays', overlay);
}
