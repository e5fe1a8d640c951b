// The generated files of clients/python: what the published client knows of the API. `npm run docs` writes them; parts.test.ts fails
// when one is stale.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonResources } from './python-resources.ts';
import { pythonTypes } from './python-types.ts';

const FOLDER = 'clients/python/src/parcelway';

/** The version, which is that of the platform. */
function versionText(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return `# Made by \`npm run docs\`; do not edit.\n"""The version of the package, which is that of the platform."""\n\n__version__ = "${version}"\n`;
}

/** Path from the root → content, for every generated file of the client for Python. */
export const pythonFiles = (root: string): ReadonlyMap<string, string> =>
  new Map([
    ...pythonResources().map(([name, text]): [string, string] => [`${FOLDER}/_generated/${name}`, text]),
    [`${FOLDER}/_version.py`, versionText(root)],
    [`${FOLDER}/types.py`, pythonTypes()],
  ]);
