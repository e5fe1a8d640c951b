import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { bundleScript } from './bundle.ts';
import { pagesOf } from './navigation/navigation.ts';
import { searchIndex } from './search/search-index.ts';
import { siteFiles, siteOutline } from './site.ts';
import { icon, readSources, sheets } from './site-sources.ts';

/** A name that holds a hash of the content. */
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
