#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../../../dist/parcelctl.js', import.meta.url);
if (existsSync(fileURLToPath(main))) {
  await import(main.href);
} else {
  process.stderr.write('parcelctl has not been built yet. Run: npm run build\n');
  process.exitCode = 3;
}
