import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentOf, guides } from './guides/guide-pages.ts';
import type { Samples } from './samples/samples.ts';
import type { SiteSources } from './site.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const docs = `${repository}docs/`;
const packages = `${repository}packages/`;
/** The style of the pages, then what is of the documentation alone. */
export const sheets = [
  ...['tokens', 'base', 'controls', 'shell'].map((name) => `${packages}page/src/styles/${name}.css`),
  ...['layout', 'article', 'reference', 'search'].map((name) => `${packages}docs-site/src/styles/${name}.css`),
];
export const icon = `${packages}page/src/styles/icon.svg`;

/** Language → file of docs/examples/verify. */
const verifyFiles = {
  node: 'node-sdk.mjs',
  python: 'python_client.py',
  go: 'verify_webhook.go',
  java: 'VerifyWebhook.java',
  php: 'verify-webhook.php',
} as const;

/** Language → file of docs/examples/receive. */
const receiveFiles = {
  curl: 'receive.sh',
  node: 'receive.mjs',
  python: 'receive.py',
  go: 'receive.go',
  java: 'Receive.java',
  php: 'receive.php',
} as const;

/** Files of the journey, by language. @param folder below docs/examples */
const filesOf = (folder: string, files: Readonly<Record<string, string>>): [language: string, file: string][] =>
  Object.entries(files).map(([language, file]) => [language, `${docs}examples/${folder}/${file}`]);

const codeOf = (files: readonly (readonly [language: string, file: string])[]): Samples =>
  Object.fromEntries(files.map(([language, file]) => [language, readFileSync(file, 'utf8').trimEnd()]));

const textOf = (path: string): string => readFileSync(`${docs}${path}`, 'utf8');

/** Files of docs/ that guides show or link besides each other. */
const isAttached = (target: string): boolean => /^images\/[\w-]+\.png$|^examples\/[\w-]+\.(?:mjs|py)$/.test(target);

/** What the guides link that lies beside them, without doubles. */
const attachments = (): string[] => [
  ...new Set(
    guides.flatMap((guide) =>
      [...textOf(documentOf(guide)).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = '']) => target).filter(isAttached),
    ),
  ),
];

export function siteSources(): string[] {
  const code = [...filesOf('verify', verifyFiles), ...filesOf('receive', receiveFiles)].map(([, file]) => file);
  return [
    ...sheets,
    icon,
    ...guides.map((guide) => join(docs, documentOf(guide))),
    ...code,
    ...attachments().map((target) => docs + target),
  ];
}

/** The contents of the site, as far as they need no bundler. @param assetOf keeps an asset, and returns its name */
export function readSources(assetOf: (name: string, content: Buffer) => string): SiteSources {
  const assets = new Map(attachments().map((target) => [target, `docs/assets/${assetOf(target, readFileSync(docs + target))}`]));
  return {
    document: textOf,
    asset: (target) => assets.get(target),
    verify: codeOf(filesOf('verify', verifyFiles)),
    receive: codeOf(filesOf('receive', receiveFiles)),
  };
}

/** Files of a package that the site is made from, without tests. @param folder below packages/ */
export const filesIn = (folder: string): string[] =>
  readdirSync(`${packages}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|conformance)\.ts$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
