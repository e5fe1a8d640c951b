import { type Misbehaviour, withBadEndpoint } from './bad-endpoint.ts';
import type { Fault } from './fault.ts';
import { asksForPauses, behaves, down, endlessBody, gone, MISBEHAVES_MS, timedOut } from './webhook-misbehaviours.ts';

/** An attempt has 15 s; more than that, so that some run into it. */
const BEYOND_DEADLINE_MS = 18_000;
const RETRY_AFTER_S = 3;

const misbehaviours: Readonly<Record<string, () => Misbehaviour>> = {
  [`is down for ${MISBEHAVES_MS / 1000} s`]: () => down,
  'does not respond': () => ({ ...behaves(() => undefined), forMs: BEYOND_DEADLINE_MS, judge: timedOut }),
  'responds with a byte a second': () => ({
    ...behaves((_attempt, res) => {
      const dripping = setInterval(() => res.write('.'), 1000);
      res.writeHead(200).once('close', () => clearInterval(dripping));
    }),
    forMs: BEYOND_DEADLINE_MS,
    judge: timedOut,
  }),
  'responds without an end': endlessBody,
  redirects: () => ({
    ...behaves((_attempt, res) => res.writeHead(307, { location: '/elsewhere' }).end()),
    forMs: MISBEHAVES_MS,
    async judge({ receiver }) {
      const followed = receiver.attempts.filter(({ path }) => path !== '/webhooks').length;
      return {
        observed: `${receiver.attempts.length} attempts, no redirect followed`,
        violations: followed > 0 ? [`${followed} redirects were followed`] : [],
      };
    },
  }),
  [`responds with 429 with Retry-After: ${RETRY_AFTER_S}`]: () => asksForPauses(RETRY_AFTER_S),
  'responds with 410': () => gone,
};

/** What endpoints of merchants do. */
export const webhookFaults: readonly Fault[] = Object.entries(misbehaviours).map(([name, misbehaviour]) => ({
  name: `an endpoint ${name}`,
  group: 'Webhooks',
  expected: 'the schedule is kept; it gets all that it has missed; webhooks reach other endpoints as quickly as before',
  servers: 'single',
  strike: (stage) => withBadEndpoint(stage, misbehaviour()),
}));
