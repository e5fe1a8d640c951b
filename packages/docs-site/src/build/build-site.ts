import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pagesOf } from './navigation/navigation.ts';
import { searchIndex, siteFiles, siteOutline } from './site.ts';
import { icon, readSources, sheets } from './site-sources.ts';

/** Bundles the script of the site. @throws Error when something in it cannot be resolved */
export async function bundleScript(): Promise<{ readonly script: string; readonly licences: string }> {
  const { build } = await import('vite');
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const output = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      lib: { entry: `${root}src/page/main.ts`, formats: ['es'], fileName: 'site' },
      minify: true,
    },
  });
  const [first] = [output].flat();
  if (first === undefined || !('output' in first)) throw new Error('Vite has built nothing');
  const script = first.output.find((file) => file.type === 'chunk');
  const licences = first.output.find((file) => file.type === 'asset' && file.fileName === 'licenses.md');
  if (script?.type !== 'chunk') throw new Error('Vite has built no script');
  return { script: script.code, licences: licences?.type === 'asset' ? String(licences.source) : '' };
}

function hashedName(name: string, content: string | Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  return `${basename(name, extname(name))}-${hash}${extname(name)}`;
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
