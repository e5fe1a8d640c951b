import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import type { Environ } from '../config.ts';
import { originVariable, readOrigins } from '../distributed-config.ts';
import { describeMs } from './amounts.ts';
import { type Check, type Report, reasonOf } from './check.ts';
import { readFor } from './configuration.ts';

const ASK_MS = 6000;
const MAX_REASON = 300;

/** The message and details of a response besides its status; empty when the body is not readable JSON. */
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

/** Sends `GET /readyz` to an origin and reports the response. */
export async function reportReadiness(report: Report, check: string, origin: string, nextWhenAway: string): Promise<void> {
  try {
    const startedAt = performance.now();
    const response = await fetch(`${origin}/readyz`, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    const said = await sentenceOf(response);
    if (response.status === 200) report.ok(check, `ready, responded in ${describeMs(performance.now() - startedAt)}`);
    else if (response.status === 503)
      report.wrong(check, `runs but is not ready: ${said}`, 'Another line of this report shows what it waits for, and so does its log.');
    else report.wrong(check, `another program responds there, with status ${response.status}`, 'Check the address.');
  } catch (error) {
    report.wrong(check, `does not respond at ${origin}: ${reasonOf(error)}`, nextWhenAway);
  }
}

/** Checks whether every service whose address is known here is ready, and why not. */
export function checkServices(env: Environ): Check {
  return {
    name: 'services',
    deadlineMs: 10_000,
    async run(report) {
      const known = serviceNames.filter((name) => env[originVariable(name)]);
      const unknown = serviceNames.filter((name) => !known.includes(name));
      const askOne = async (name: ServiceName): Promise<void> => {
        const variable = originVariable(name);
        const origins = readFor(env, (given) => readOrigins(given, [name]), report, {
          check: `service ${name}`,
          names: [variable],
          whose: 'gateway',
        });
        const origin = origins?.get(name);
        if (origin !== undefined)
          await reportReadiness(
            report,
            `service ${name}`,
            origin,
            `Check that ${name} runs, and that ${variable} names its SERVICE_PORT and can be reached from here.`,
          );
      };
      await Promise.all(known.map(askOne));
      if (unknown.length > 0)
        report.warning(
          'services',
          `not checked: ${unknown.join(', ')}`,
          `Set ${unknown.map(originVariable).join(', ')} to check them too.`,
        );
    },
  };
}
