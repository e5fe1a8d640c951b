import type { Environ } from '../config.ts';
import { listSome } from './amounts.ts';
import type { Check, Report } from './check.ts';

const SHORTEST = {
  INTERNAL_SECRET: 32,
  INTERNAL_SECRET_PREVIOUS: 32,
  FILE_SECRET: 32,
  FILE_SECRET_PREVIOUS: 32,
  NUMBER_SECRET: 32,
  CREDENTIALS_SECRET: 32,
  CREDENTIALS_SECRET_PREVIOUS: 32,
  ADMIN_TOKEN: 16,
} as const;
/** The second secret of a rotation, and what it is for; it is one of the others at times. */
const ROTATIONS = [
  ['INTERNAL_SECRET', 'INTERNAL_SECRET_PREVIOUS', 'is accepted beside INTERNAL_SECRET; remove it when the rotation is over'],
  [
    'FILE_SECRET',
    'FILE_SECRET_PREVIOUS',
    'is accepted beside FILE_SECRET; remove it when nobody submits file URLs, photo ids and image ids of before',
  ],
  [
    'CREDENTIALS_SECRET',
    'CREDENTIALS_SECRET_PREVIOUS',
    'opens what it has sealed; remove it once the tracking service has started with the current secret',
  ],
] as const;
/** Every service needs these. */
const NEEDED = ['INTERNAL_SECRET', 'FILE_SECRET'] as const;
/** Nearly every random text of the required length has more different characters than this. */
const FEWEST_CHARACTERS = 10;
const MAKE = "Make one with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";
const UNCHANGEABLE =
  'FILE_SECRET of an installation in use changes step by step alone (docs/operate.md): issued file URLs would be refused.';

/** What to do about a secret that cannot be used. Another file secret is no remedy for an installation in use. */
function remedyFor(name: keyof typeof SHORTEST): string {
  if (name !== 'FILE_SECRET') return MAKE;
  return `${UNCHANGEABLE} Keep the one that the installation has. Only for an installation that nobody has used yet: ${MAKE}`;
}

function reportSecret(report: Report, name: keyof typeof SHORTEST, value: string): boolean {
  const check = `secret ${name}`;
  if (value.length < SHORTEST[name]) report.wrong(check, `has ${value.length} characters, ${SHORTEST[name]} are needed`, remedyFor(name));
  else if (new Set(value).size < FEWEST_CHARACTERS) report.wrong(check, 'is not random: it has few different characters', remedyFor(name));
  else return true;
  return false;
}

function reportRotations(report: Report, env: Environ): void {
  for (const [present, previous, use] of ROTATIONS) {
    if (!env[previous]) continue;
    if (env[previous] === env[present])
      report.warning(
        'secret rotation',
        `${previous} is ${present} itself`,
        `Remove ${previous}, or set it to the other secret of the rotation.`,
      );
    else report.ok('secret rotation', `${previous} ${use}`);
  }
}

/** Reports secrets that are the same. Both secrets of a rotation may be: {@link reportRotations}. */
function reportShared(report: Report, env: Environ, given: readonly string[]): void {
  const owners = new Map<string, string[]>();
  // The first file secret is the present one or the previous one for long.
  const unrotated = given.filter((name) => name !== 'NUMBER_SECRET' && !ROTATIONS.some(([, previous]) => previous === name));
  for (const name of [...unrotated, 'S3_SECRET_KEY', 'KAFKA_PASSWORD']) {
    const value = env[name];
    if (value) owners.set(value, [...(owners.get(value) ?? []), name]);
  }
  for (const shared of owners.values()) {
    if (shared.length < 2) continue;
    const keep = shared.includes('FILE_SECRET') ? ', and keep FILE_SECRET' : '';
    report.wrong(
      'secrets',
      `${shared.join(' and ')} are the same`,
      `Give each its own value${keep}: a leak of one would be a leak of the other.`,
    );
  }
}

/** Checks the secrets of an installation: set, long enough, random, and all different. Never shows their values. */
export function checkSecrets(env: Environ): Check {
  return {
    name: 'secrets',
    deadlineMs: 1000,
    async run(report) {
      const names = Object.keys(SHORTEST) as (keyof typeof SHORTEST)[];
      for (const name of NEEDED)
        if (!env[name])
          report.wrong(
            `secret ${name}`,
            'is not set',
            `Every service needs the same one, directly or as ${name}_FILE; start:distributed keeps it in DATA_DIR. ${remedyFor(name)}`,
          );
      const given = names.filter((name) => env[name]);
      const good = given.filter((name) => reportSecret(report, name, env[name] as string));
      reportShared(report, env, given);
      if (good.length > 0) report.ok('secrets', `${listSome(good)}: long enough and random`);
      reportRotations(report, env);
    },
  };
}
