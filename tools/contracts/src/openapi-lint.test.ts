import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { environments } from '@parcelway/contracts/environment';
import { buildOpenApi } from '@parcelway/contracts/openapi';

const redocly = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url));
const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));

test.each(environments)('a linter of OpenAPI finds nothing in the document of %s, examples included', (environment) => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(buildOpenApi({ environment, baseUrl: 'https://localhost:8443' })));
    const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = ['lint', '--config', config, '--format', 'json', file];
    const { stdout, stderr } = spawnSync(redocly, args, { env, encoding: 'utf8', timeout: 30_000 });
    if (stdout === '') throw new Error(stderr);
    expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
