import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript } from './bundle.ts';
import { guides } from './guides/guides.ts';
import { pagesOf } from './navigation/navigation.ts';
import { searchIndex } from './search/search-index.ts';
import { type SiteSources, siteFiles, siteOutline } from './site.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const docs = `${repository}docs/`;
const packages = `${repository}packages/`;
/** The style of the pages, then what is of the documentation alone. */
const sheets = [
  ...['tokens', 'base', 'controls', 'shell'].map((name) => `${packages}page/src/styles/${name}.css`),
  ...['layout', 'article', 'reference', 'search'].map((name) => `${packages}docs-site/src/styles/${name}.css`),
];
const icon = `${packages}page/src/styles/icon.svg`;

/** Language → file of docs/examples/verify. */
const verifyFiles = {
  node: 'node.mjs',
  python: 'verify_webhook.py',
  go: 'verify_webhook.go',
  java: 'VerifyWebhook.java',
  php: 'verify-webhook.php',
} as const;

const textOf = (name: string): string => readFileSync(`${docs}${name}.md`, 'utf8');

/** Files of docs/ that guides show or link besides each other. */
const isAttached = (target: string): boolean => /^images\/[\w-]+\.png$|^examples\/[\w-]+\.mjs$/.test(target);

/** What the guides link that lies beside them, without doubles. */
const attachments = (): string[] => [
  ...new Set(
    guides.flatMap(({ name }) => [...textOf(name).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = '']) => target).filter(isAttached)),
  ),
];

/** Every file outside this package and the contracts that the site is made from. */
export function siteSources(): string[] {
  const verify = Object.values(verifyFiles).map((file) => `${docs}examples/verify/${file}`);
  return [...sheets, icon, ...guides.map(({ name }) => `${docs}${name}.md`), ...verify, ...attachments().map((target) => docs + target)];
}

/** A name that holds a hash of the content. */
function hashedName(name: string, content: string | Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  return `${basename(name, extname(name))}-${hash}${extname(name)}`;
}

/** The contents of the site, as far as they need no bundler. @param assetOf keeps an asset, and returns its name */
export function readSources(assetOf: (name: string, content: Buffer) => string): SiteSources {
  const assets = new Map(attachments().map((target) => [target, `docs/assets/${assetOf(target, readFileSync(docs + target))}`]));
  const verify = Object.entries(verifyFiles).map(([id, file]) => [id, readFileSync(`${docs}examples/verify/${file}`, 'utf8').trimEnd()]);
  return { document: textOf, asset: (target) => assets.get(target), verify: Object.fromEntries(verify) };
}

/** Writes the pages and their assets, as they lie below the root of the gateway. @param directory emptied before */
export async function buildSite(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(`${directory}/${path}`), { recursive: true });
    writeFileSync(`${directory}/${path}`, content);
  };
  const asset = (name: string, content: string | Buffer): string => {
    const hashed = hashedName(name, content);
    write(`docs/assets/${hashed}`, content);
    return hashed;
  };
  const outline = siteOutline(readSources(asset));
  const { script, licences } = await bundleScript();
  const assets = {
    script: asset('site.js', script),
    style: asset('site.css', sheets.map((sheet) => readFileSync(sheet, 'utf8')).join('\n')),
    icon: asset('icon.svg', readFileSync(icon)),
    searchIndex: asset('search.json', searchIndex(pagesOf(outline))),
  };
  for (const [path, text] of siteFiles(outline, assets)) write(path, text);
  write('licenses.md', licences);
}

/** Files of a package that the site is made from, without tests. @param folder below packages/ */
export const filesIn = (folder: string): string[] =>
  readdirSync(`${packages}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|conformance)\.ts$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
