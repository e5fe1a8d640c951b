import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { commandRows } from './parcelctl-commands.ts';
import { documents } from './parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What follows `parcelctl` in the code of a document, up to two words; prose about parcelctl is not looked at. */
function commandsIn(markdown: string): string[] {
  const code = markdown.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? [];
  return code.flatMap((text) => [...text.matchAll(/\bparcelctl ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map((match) => match[1] as string));
}

test('documents name commands of parcelctl that there are', async () => {
  const rows = await commandRows();
  const commands = rows.map(([usage = '']) => /^`([a-z -]*[a-z])/.exec(usage)?.[1] ?? '');
  const exists = (named: string): boolean => commands.some((command) => `${named} `.startsWith(`${command} `));
  expect(exists('dlq redrive')).toBe(true);
  expect(exists('dead-letters redrive')).toBe(false);
  const found = documents(root).flatMap((name) => commandsIn(readFileSync(join(root, name), 'utf8')).map((command) => [name, command]));
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(([, command]) => !exists(String(command)))).toEqual([]);
});
