// What ships: the packages that npm installs into the image, and those that are bundled into the pages. Read from the lock file,
// so it needs neither an installation nor a network. `npm sbom --omit=dev --workspace …` leaves out what the workspaces below bring in, such as ajv.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The workspace that the image is made of; Dockerfile installs it, and it brings in the others. */
export const IMAGE_WORKSPACE = 'services/all-in-one';

/** Packages of which a copy is inside the pages, although npm counts them as tools; a test holds this against its imports. */
export const BUNDLED = ['preact'];

/** Licences of versions whose manifest names none, as the text of the licence in the package says; another version is to be read anew. */
const LICENCES_BY_TEXT = { 'png-js@2.0.0': 'MIT' };

/** Where Node finds a package: in the folder of who needs it, or in one above. */
function found(packages, from, name) {
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
function namesNeeded(entry) {
  const optionalPeers = Object.entries(entry.peerDependenciesMeta ?? {}).flatMap(([name, { optional }]) => (optional ? [name] : []));
  const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name));
  const optional = new Set(Object.keys(entry.optionalDependencies ?? {}));
  return [...Object.keys(entry.dependencies ?? {}), ...peers, ...optional].map((name) => ({ name, optional: optional.has(name) }));
}

/**
 * Every package that ships, by path: others' as the lock file pins them, our own as their manifests are, which npm goes by too.
 * @param {string} root the checkout; of its files only the lock and the manifests of the workspaces are read
 * @returns {ShippedPackage[]}
 * @throws Error when the lock lacks a package that another needs
 */
export function productionPackages(root) {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { packages } = read('package-lock.json');
  const shipped = new Map();
  const waiting = [IMAGE_WORKSPACE, ...BUNDLED.map((name) => `node_modules/${name}`)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (shipped.has(path)) continue;
    const own = !path.includes('node_modules/');
    const entry = own ? read(`${path}/package.json`) : packages[path];
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
