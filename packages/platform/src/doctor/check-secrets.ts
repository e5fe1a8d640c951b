import type { Environ } from '../config.ts';
import { listSome } from './amounts.ts';
import type { Check, Tell } from './check.ts';

const SHORTEST = { INTERNAL_SECRET: 32, INTERNAL_SECRET_PREVIOUS: 32, FILE_SECRET: 32, ADMIN_TOKEN: 16 } as const;
/** These every service must have. */
const NEEDED = ['INTERNAL_SECRET', 'FILE_SECRET'] as const;
/** A random text of this length has more different characters than this, but for one in millions. */
const FEWEST_CHARACTERS = 10;
const MAKE = "Make one with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";

function tellOfOne(tell: Tell, name: keyof typeof SHORTEST, value: string): boolean {
  const check = `secret ${name}`;
  const unchangeable =
    name === 'FILE_SECRET'
      ? ' FILE_SECRET must not change once the installation is in use: issued file URLs and photo ids would be refused.'
      : '';
  if (value.length < SHORTEST[name])
    tell.wrong(check, `has ${value.length} characters, ${SHORTEST[name]} are needed`, `${MAKE}${unchangeable}`);
  else if (new Set(value).size < FEWEST_CHARACTERS)
    tell.wrong(check, 'is not random: it has few different characters', `${MAKE}${unchangeable}`);
  else return true;
  return false;
}

function tellOfRotation(tell: Tell, { INTERNAL_SECRET: present, INTERNAL_SECRET_PREVIOUS: previous }: Environ): void {
  if (!previous) return;
  if (previous === present)
    tell.warning(
      'secret rotation',
      'INTERNAL_SECRET_PREVIOUS is INTERNAL_SECRET itself',
      'Remove INTERNAL_SECRET_PREVIOUS, or give the other secret of the rotation.',
    );
  else tell.ok('secret rotation', 'INTERNAL_SECRET_PREVIOUS is accepted beside INTERNAL_SECRET; remove it when the rotation is over');
}

/** The secrets of an installation: there, long enough, random, and each its own. Says nothing of their values. */
export function checkSecrets(env: Environ): Check {
  return {
    name: 'secrets',
    deadlineMs: 1000,
    async run(tell) {
      const names = Object.keys(SHORTEST) as (keyof typeof SHORTEST)[];
      for (const name of NEEDED)
        if (!env[name])
          tell.wrong(`secret ${name}`, 'is not set', `Every service needs it, the same one, directly or as ${name}_FILE. ${MAKE}`);
      const given = names.filter((name) => env[name]);
      const good = given.filter((name) => tellOfOne(tell, name, env[name] as string));
      const owners = new Map<string, string[]>();
      for (const name of [...given.filter((name) => name !== 'INTERNAL_SECRET_PREVIOUS'), 'S3_SECRET_KEY', 'KAFKA_PASSWORD']) {
        const value = env[name];
        if (value) owners.set(value, [...(owners.get(value) ?? []), name]);
      }
      for (const shared of owners.values()) {
        if (shared.length > 1)
          tell.wrong(
            'secrets',
            `${shared.join(' and ')} are the same`,
            'Give each a value of its own: whoever learns one would have the other.',
          );
      }
      if (good.length > 0) tell.ok('secrets', `${listSome(good)}: long enough and random`);
      tellOfRotation(tell, env);
    },
  };
}
