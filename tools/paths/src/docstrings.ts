import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, parse } from 'acorn';
import { functionsOf } from './functions.ts';

/** First sentence of a docstring, in one line. */
function firstSentence(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trim());
  const end = lines.findIndex((line, index) => index > 0 && (line === '' || line.startsWith('@')));
  const text = lines
    .slice(0, end === -1 ? lines.length : end)
    .join(' ')
    .trim();
  const plain = text
    .replace(/\{@link ([^\s|}]+)[\s|]*([^}]*)\}/g, (_link, target: string, label: string) => label.trim() || `\`${target}\``)
    .replace(/(?:^|\s)@(?:param|returns|throws)\b.*$/, '');
  return /^.*?[.?!](?=\s+[A-Z`]|$)/.exec(plain)?.[0] ?? plain;
}

/** What the docstrings of a module say. */
interface ModuleDocs {
  /** Of its functions, by name; of those around a function for one that has none. */
  readonly functions: ReadonlyMap<string, string>;
  /** Of the first function or class that the module exports; empty without one. */
  readonly main: string;
}

/** How the declaration of an exported function or class begins. */
const EXPORTED = /^export (?:(?:async )?function|class|const \w+ = (?:async )?\()/;
const EXPORT_LENGTH = 200;

/** Reads the docstrings of a module. @param source as tsc writes it: JavaScript with comments */
export function docstringsIn(source: string): ModuleDocs {
  const comments: Comment[] = [];
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments });
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  /** By the place of what they describe. */
  const byPlace = new Map(docs.map(({ end, value }) => [end + (/^\s*/.exec(source.slice(end))?.[0].length ?? 0), firstSentence(value)]));
  const functions = new Map<string, string>();
  for (const { name, ancestors } of functionsOf(program)) {
    const doc = ancestors.slice(1).reduceRight((found, { start }) => found || (byPlace.get(start) ?? ''), '');
    if (doc !== '' && !functions.has(name)) functions.set(name, doc);
  }
  const main = [...byPlace].find(([place]) => EXPORTED.test(source.slice(place, place + EXPORT_LENGTH)));
  return { functions, main: main?.[1] ?? '' };
}

/** Looks up docstrings in what was built of this repository. */
export class Docstrings {
  readonly #root: string;
  readonly #modules = new Map<string, ModuleDocs>();

  constructor(root: string) {
    this.#root = root;
  }

  /** First sentence of the docstring of a function, else of what it is in, else of its file; empty without any. */
  of(file: string, name: string): string {
    const docs = this.#modules.get(file) ?? this.#read(file);
    this.#modules.set(file, docs);
    return docs.functions.get(name) ?? docs.main;
  }

  #read(file: string): ModuleDocs {
    const built = join(this.#root, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
    return existsSync(built) ? docstringsIn(readFileSync(built, 'utf8')) : { functions: new Map(), main: '' };
  }
}
