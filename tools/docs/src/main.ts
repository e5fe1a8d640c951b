// `npm run docs`: makes the generated parts of the documentation, and the client for Python, again from what was built.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents, withParts } from './parts.ts';
import { pythonFiles } from './python-files.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let written = 0;

/** Writes a file unless it is so already. */
function write(name: string, after: string): void {
  const file = join(root, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === after) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  written += 1;
  console.log(`written: ${name}`);
}

for (const [name, text] of pythonFiles(root)) write(name, text);
for (const name of documents(root)) write(name, await withParts(readFileSync(join(root, name), 'utf8'), root));
if (written === 0) console.log('nothing to write: the documents are up to date');
