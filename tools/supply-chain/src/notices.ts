// The licences of others, as their authors ask: their texts go along with what ships.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './production-packages.ts';

const TEXT = /^(licen[cs]e|copying|notice|unlicense)([._-].*)?$/i;

/** Licence and notice files of a package, one after the other; undefined when it brings none. */
function textOf(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name: string) => TEXT.test(name)) : [];
  if (names.length === 0) return undefined;
  return names
    .sort()
    .map((name: string) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}

/**
 * One text with the licences of all packages that are not ours; those with the same text stand together.
 * @param root the checkout, with everything installed
 * @throws Error when a package is not installed
 */
export function thirdPartyNotices(packages: readonly ShippedPackage[], root: string) {
  const byText = new Map();
  for (const { path, name, version, license, own } of packages) {
    if (own) continue;
    if (!existsSync(join(root, path, 'package.json'))) throw new Error(`${path} is not installed: run npm ci first`);
    const text = textOf(join(root, path)) ?? `It brings no text of its licence: ${license}. See https://spdx.org/licenses/`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `Parcelway contains the following software of others.\n\n${'-'.repeat(80)}\n${parts.join(`\n${'-'.repeat(80)}\n`)}`;
}
