import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Guide, guides } from './guides.ts';
import { type Page, renderGuide, renderList, renderPage } from './render.ts';

const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const here = fileURLToPath(new URL('./', import.meta.url));
const tool = fileURLToPath(new URL('../../', import.meta.url));
const shared = fileURLToPath(new URL('../../../../packages/page/src/styles/', import.meta.url));
const styles = fileURLToPath(new URL('../../../../packages/console/src/styles/', import.meta.url));

/** The style of the console, then what is of the guides alone. */
const sheets = [...['tokens', 'base', 'shell'].map((name) => `${shared}${name}.css`), `${styles}lists.css`, `${tool}guides.css`];

/** Files of docs/ that guides show or link besides each other. */
const attached = (target: string) => /^images\/[\w-]+\.png$|^examples\/[\w-]+\.mjs$/.test(target);

const textOf = ({ name }: Guide) => readFileSync(`${docs}${name}.md`, 'utf8');

/** What the guides link that lies beside them, without doubles. */
const attachments = () => [
  ...new Set(guides.flatMap((guide) => [...textOf(guide).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = '']) => target).filter(attached))),
];

/** Every file that the guides are made from. */
export function guideSources() {
  const code = ['build-guides', 'guides', 'render'].map((name) => here + name + extname(import.meta.url));
  return [...code, ...sheets, ...guides.map(({ name }) => `${docs}${name}.md`), ...attachments().map((target) => docs + target)];
}

/** Writes the pages and their assets. @param directory emptied before */
export function buildGuides(directory: string) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(`${directory}/assets`, { recursive: true });
  /** Writes an asset under a name that holds its hash, and returns that name. */
  const asset = (name: string, content: string | Buffer) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    writeFileSync(`${directory}/assets/${hashed}`, content);
    return hashed;
  };
  const style = asset('guides.css', sheets.map((sheet) => readFileSync(sheet, 'utf8')).join('\n'));
  const assets = new Map(attachments().map((target) => [target, asset(target, readFileSync(docs + target))]));
  const hrefOf = (target: string): string | undefined => {
    if (/^(https?:|#)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const name = path.replace(/\.md$/, '');
    if (path.endsWith('.md') && guides.some((guide) => guide.name === name)) return anchor === undefined ? name : `${name}#${anchor}`;
    return assets.has(path) ? `assets/${assets.get(path)}` : undefined;
  };
  const rendered = guides.map((guide) => ({ ...guide, ...renderGuide(textOf(guide), hrefOf) }));
  const write = (name: string, page: Pick<Page, 'title' | 'html' | 'current'>) =>
    writeFileSync(`${directory}/${name}.html`, renderPage({ guides: rendered, style, ...page }));
  for (const { name, title, html } of rendered) write(name, { title, html, current: name });
  write('index', { title: 'Guides', html: renderList(rendered), current: '' });
}
