// `npm run observability`: makes the rules of the objectives, and the operator's form of all rules.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { observabilityFiles } from './prometheus-rules.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

for (const [name, text] of observabilityFiles(root)) {
  const file = join(root, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  writeFileSync(file, text);
  console.log(`written: ${name}`);
}
