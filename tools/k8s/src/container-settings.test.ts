import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { definitions, serviceReads } from './checks/check-environment.ts';

/* What a service reads must reach it through docker-compose.yml, or who sets it sets it in vain. */

const compose = readFileSync(fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url)), 'utf8');

/** Set by the image or never needed here: one gateway, its port inside, and a restart of all at once. TLS is for an override. */
const FIXED = [
  ...['DATA_DIR', 'HOST', 'PORT', 'SERVICE_HOST', 'SERVICE_PORT', 'QUICKSTART', 'INTERNAL_SECRET_PREVIOUS'],
  ...['TLS', 'TLS_CERT_FILE', 'TLS_KEY_FILE'],
];

/** Text of a block, which ends where one begins with the same indentation. */
function block(head: string): string {
  const start = compose.indexOf(`\n${head}\n`);
  if (start === -1) throw new Error(`docker-compose.yml has no "${head}"`);
  const indent = (/^ */.exec(head) as RegExpExecArray)[0].length;
  const body = compose.slice(start + head.length + 2);
  const end = body.search(new RegExp(`^ {0,${indent}}\\S`, 'm'));
  return end === -1 ? body : body.slice(0, end);
}

/** Variables that a service gets. A mapping of its own takes the place of the shared one, unless that is merged in. */
function given(service: string): ReadonlySet<string> {
  const own = block(`  ${service}:`);
  const shares = !own.includes('\n    environment:') || own.includes('<<: *service-environment');
  const texts = shares ? [own, block('x-service: &service'), block('x-installation: &installation')] : [own];
  return new Set(texts.flatMap((text) => [...text.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name as string)));
}

test.each([...definitions.values()].map((definition) => [definition.name, definition] as const))(
  '%s gets every variable that it reads',
  (name, definition) => {
    const variables = given(name);
    // Most of it is missing here and reported as problems; what matters is what it asks for.
    const read = serviceReads({}, definition, []);
    expect(read).toContain('MONGODB_URL');
    const missing = [...read].filter((each) => ![each, `${each}_FILE`].some((form) => variables.has(form)));
    expect(missing.filter((each) => !FIXED.includes(each))).toEqual([]);
  },
);
