// What ships, and under which licences: read from the lock file, so it needs neither an installation nor a network.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SPDX identifiers of licences that ask for no more than their text and the names of the authors. Another one is a decision: docs/releasing.md. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1', 'Unlicense'];

/** Packages of which a copy is inside the pages, although npm counts them as tools. */
export const BUNDLED: readonly string[] = ['minisearch', 'preact'];

/** Licences of versions whose manifest names none, as the text of the licence in the package says; another version is to be read again. */
const LICENCES_BY_TEXT: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' };

/** A package of others that ships. */
export interface ShippedPackage {
  /** Place in the lock file, such as `node_modules/ajv`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As the package names it: an SPDX expression. */
  readonly license: string | undefined;
}

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Every package of others that ships: what npm does not count as a development dependency, and what is bundled into the pages. @param root the checkout */
export function shippedPackages(root: string): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockEntry> };
  return Object.entries(packages).flatMap(([path, { version, license, dev = false, link = false }]) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || link || (dev && !BUNDLED.includes(name))) return [];
    return { path, name, version, license: license ?? LICENCES_BY_TEXT[`${name}@${version}`] };
  });
}

/** True when an SPDX expression can be met by allowed licences alone. One that mixes AND and OR is for people to read. */
export function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, '$1');
  const isOne = (identifier: string): boolean => ALLOWED.includes(identifier);
  if (/[()]/.test(text) || (text.includes(' AND ') && text.includes(' OR '))) return false;
  return text.includes(' OR ') ? text.split(' OR ').some(isOne) : text.split(' AND ').every(isOne);
}

/** What must not ship as it is, in sentences; empty when all is well. */
export function licenceFaults(packages: readonly ShippedPackage[]): string[] {
  return packages.flatMap(({ name, version, license }) => {
    if (!license) return [`${name}@${version} names no licence: nobody may use it until it does; replace it`];
    if (isAllowed(license)) return [];
    return [`${name}@${version} has the licence ${license}; allowed are ${ALLOWED.join(', ')}. Replace it, or decide on the licence`];
  });
}

/** Licence and notice files of a package, one after the other; undefined when it brings none. */
function textOf(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice|unlicense)([._-].*)?$/i.test(name));
  if (names.length === 0) return undefined;
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.join('\n\n');
}

/**
 * One text with the licences of all packages; those with the same text stand together.
 * @param root the checkout, with everything installed
 * @throws Error when a package is not installed
 */
export function thirdPartyNotices(packages: readonly ShippedPackage[], root: string): string {
  const byText = new Map<string, string[]>();
  for (const { path, name, version, license } of packages) {
    if (!existsSync(join(root, path, 'package.json'))) throw new Error(`${path} is not installed: run npm ci first`);
    const text = textOf(join(root, path)) ?? `It brings no text of its licence: ${license}. See https://spdx.org/licenses/`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `Parcelway contains the following software of others.\n\n${'-'.repeat(80)}\n${parts.join(`\n${'-'.repeat(80)}\n`)}`;
}
