// `npm run audit`: known advisories for what ships. Fails only on findings; where the registry cannot be asked, it says so and passes, because
// not every machine that builds has a way to it; with --required that fails, too. --level low|moderate|high|critical (default high) is from where on a finding fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judgeAudit, LEVELS } from './judge-audit.ts';

const TIMEOUT_MS = 60_000;

const { values } = parseArgs({
  options: { level: { type: 'string', default: 'high' }, required: { type: 'boolean', default: false } },
});
if (!LEVELS.includes(values.level)) {
  console.error(`--level must be one of ${LEVELS.join(', ')}`);
  process.exit(2);
}

const cwd = fileURLToPath(new URL('../../..', import.meta.url));
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'], {
  cwd,
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 64 * 1024 * 1024,
});
const { ok, lines } = judgeAudit(stdout ?? '', values.level, values.required);
for (const line of lines) console.log(line);
process.exitCode = ok ? 0 : 1;
