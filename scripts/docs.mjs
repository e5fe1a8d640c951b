// `npm run docs`: makes the generated parts of the documentation anew from what was built.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents, withParts } from './docs-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const name of documents(root)) {
  const file = join(root, name);
  const before = readFileSync(file, 'utf8');
  const after = withParts(before, root);
  if (after === before) continue;
  writeFileSync(file, after);
  console.log(`written: ${name}`);
}
