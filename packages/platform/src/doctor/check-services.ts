import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import type { Environ } from '../config.ts';
import { originVariable, readOrigins } from '../distributed-config.ts';
import { describeMs } from './amounts.ts';
import { type Check, reasonOf, type Tell } from './check.ts';
import { readFor } from './configuration.ts';

const ASK_MS = 6000;
const MAX_REASON = 300;

/** What a service says besides its status; empty when it says nothing that can be read. */
async function sentenceOf(response: Response): Promise<string> {
  const body = (await response.text()).slice(0, 10_000);
  try {
    const { message, data } = JSON.parse(body) as { message?: unknown; data?: { services?: unknown } | null };
    const services = data?.services === undefined ? '' : ` ${JSON.stringify(data.services)}`;
    return `${String(message ?? '')}${services}`.slice(0, MAX_REASON);
  } catch {
    return '';
  }
}

/** Asks `GET /readyz` at an origin and tells what it responded. */
export async function tellOfReadiness(tell: Tell, check: string, origin: string, nextWhenAway: string): Promise<void> {
  try {
    const startedAt = performance.now();
    const response = await fetch(`${origin}/readyz`, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    const said = await sentenceOf(response);
    if (response.status === 200) tell.ok(check, `ready, responded in ${describeMs(performance.now() - startedAt)}`);
    else if (response.status === 503)
      tell.wrong(
        check,
        `runs and is not ready: ${said}`,
        'What it waits for is among the other lines of this report; its log says it too.',
      );
    else tell.wrong(check, `something else responds there, with status ${response.status}`, 'Check the address.');
  } catch (error) {
    tell.wrong(check, `does not respond at ${origin}: ${reasonOf(error)}`, nextWhenAway);
  }
}

/** Every service whose address is known here: whether it is ready, and why not. */
export function checkServices(env: Environ): Check {
  return {
    name: 'services',
    deadlineMs: 10_000,
    async run(tell) {
      const known = serviceNames.filter((name) => env[originVariable(name)]);
      const unknown = serviceNames.filter((name) => !known.includes(name));
      const askOne = async (name: ServiceName): Promise<void> => {
        const variable = originVariable(name);
        const origins = readFor(env, (given) => readOrigins(given, [name]), tell, {
          check: `service ${name}`,
          names: [variable],
          whose: 'gateway',
        });
        const origin = origins?.get(name);
        if (origin !== undefined)
          await tellOfReadiness(
            tell,
            `service ${name}`,
            origin,
            `See that ${name} runs, and that ${variable} is its SERVICE_PORT and can be reached from here.`,
          );
      };
      await Promise.all(known.map(askOne));
      if (unknown.length > 0)
        tell.warning('services', `not asked: ${unknown.join(', ')}`, `Set ${unknown.map(originVariable).join(', ')} to ask them too.`);
    },
  };
}
