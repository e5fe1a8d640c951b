// What ships: the packages that npm installs into the image, and those that are bundled into the pages. Read from the lock file,
// so it needs neither an installation nor a network. `npm sbom --omit=dev --workspace …` leaves out what the workspaces below bring in, such as ajv.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that ships. */
export interface ShippedPackage {
  /** Place in the lock file, such as `node_modules/ajv`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As the package names it: an SPDX expression. */
  readonly license: string | undefined;
  readonly integrity: string | undefined;
  /** True for a workspace of this repository. */
  readonly own: boolean;
  /** Paths of those that it needs. */
  readonly dependencies: readonly string[];
}

/** What is read of an entry of the lock file, or of a manifest. */
interface LockEntry {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The workspace that the image is made of; Dockerfile installs it, and it brings in the others. */
export const IMAGE_WORKSPACE = 'services/all-in-one';

/** Packages of which a copy is inside the pages, although npm counts them as tools; a test holds this against its imports. */
export const BUNDLED = ['minisearch', 'preact'];

/** Licences of versions whose manifest names none, as the text of the licence in the package says; another version is to be read again. */
const LICENCES_BY_TEXT: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' };

/** Where Node finds a package: in the folder of who needs it, or in one above. */
function found(packages: Readonly<Record<string, LockEntry>>, from: string, name: string) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    if (!folder.endsWith('node_modules')) {
      const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
      const entry = packages[path];
      if (entry) return entry.link ? entry.resolved : path;
    }
    if (folder === '') return undefined;
  }
}

/** Names that a package needs; what is optional may be absent. */
function namesNeeded(entry: LockEntry) {
  const optionalPeers = Object.entries(entry.peerDependenciesMeta ?? {}).flatMap(([name, { optional }]) => (optional ? [name] : []));
  const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name));
  const optional = new Set(Object.keys(entry.optionalDependencies ?? {}));
  return [...Object.keys(entry.dependencies ?? {}), ...peers, ...optional].map((name) => ({ name, optional: optional.has(name) }));
}

/**
 * Every package that ships, by path: others' as the lock file pins them, our own as their manifests are, which npm goes by too.
 * @param root the checkout; of its files only the lock and the manifests of the workspaces are read
 * @throws Error when the lock lacks a package that another needs
 */
export function productionPackages(root: string): ShippedPackage[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: Record<string, LockEntry> };
  const shipped = new Map<string, ShippedPackage>();
  const waiting = [IMAGE_WORKSPACE, ...BUNDLED.map((name) => `node_modules/${name}`)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (shipped.has(path)) continue;
    const own = !path.includes('node_modules/');
    const entry = own ? (read(`${path}/package.json`) as LockEntry) : packages[path];
    if (!entry) throw new Error(`package-lock.json has no ${path}: run npm install`);
    const dependencies = namesNeeded(entry).flatMap(({ name, optional }) => {
      const place = found(packages, path, name);
      if (place === undefined && !optional) throw new Error(`package-lock.json has no ${name}, which ${path} needs: run npm install`);
      return place ?? [];
    });
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, license = LICENCES_BY_TEXT[`${name}@${version}`], integrity } = entry;
    shipped.set(path, { path, name, version, license, integrity, own, dependencies: [...new Set(dependencies)].sort() });
    waiting.push(...dependencies);
  }
  return [...shipped.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
