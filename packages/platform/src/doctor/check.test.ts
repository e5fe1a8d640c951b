import { describe, expect, test } from '@jest/globals';
import { type Check, type Finding, type Report, runChecks, Verdict } from './check.ts';
import { reportExpiry } from './check-certificate.ts';
import { reportOutbox } from './check-mongo.ts';
import { checkSecrets } from './check-secrets.ts';
import { reportClock } from './clock-findings.ts';
import { createRedaction } from './redact.ts';

const check = (name: string, run: Check['run'], deadlineMs = 5000): Check => ({ name, deadlineMs, run });
const asItIs = (text: string): string => text;

async function findingsOf(reportAll: (report: Report) => void): Promise<readonly Finding[]> {
  return runChecks([check('one', async (report) => reportAll(report))], asItIs);
}

describe('runChecks', () => {
  test('one that hangs, one that fails and one that ends early leave the others alone', async () => {
    const findings = await runChecks(
      [
        check(
          'hanging',
          (report) => {
            report.ok('before', 'fine');
            return new Promise(() => undefined);
          },
          20,
        ),
        check('failing', async () => {
          throw new Error('outer', { cause: new Error('inner\nreason.') });
        }),
        check('ending', async () => {
          throw new Verdict('part', 'is out', 'Fix it.');
        }),
        check('good', async (report) => report.ok('good', 'fine')),
      ],
      asItIs,
    );
    expect(findings).toMatchObject([
      { check: 'before', status: 'ok' },
      { check: 'hanging', status: 'wrong', message: 'no response within 0.02 s' },
      { check: 'failing', status: 'wrong', message: 'inner reason' },
      { check: 'part', status: 'wrong', message: 'is out', next: 'Fix it.' },
      { check: 'good', status: 'ok' },
    ]);
  });

  test('all have loaded before the first one runs; one that cannot load says so itself', async () => {
    const happened: string[] = [];
    const loading = (name: string, load: () => Promise<unknown>): Check => ({
      ...check(name, async () => {
        happened.push(`${name} runs`);
        await load();
      }),
      load: async () => {
        await load();
        happened.push(`${name} has loaded`);
      },
    });
    const findings = await runChecks(
      [
        loading('quick', async () => undefined),
        loading('slow', () => new Promise((resolve) => setImmediate(resolve))),
        loading('absent', () => Promise.reject(new Error('not installed'))),
      ],
      asItIs,
    );
    expect(happened).toEqual(['quick has loaded', 'slow has loaded', 'quick runs', 'slow runs', 'absent runs']);
    expect(findings).toMatchObject([{ check: 'absent', status: 'wrong', message: 'not installed' }]);
  });
});

test('secrets are taken out of every text, passwords in addresses as written and decoded', async () => {
  const redact = createRedaction(
    { MONGODB_URL: 'mongodb://me:p%40ssword@db:1/', INTERNAL_SECRET: 'internal', KAFKA_USERNAME: 'kafka', S3_SECRET_KEY: '' },
    ['token-1'],
  );
  const findings = await runChecks(
    [check('one', async (report) => report.wrong('one', 'me:p%40ssword p@ssword internal kafka db:1', 'Say token-1.'))],
    redact,
  );
  expect(findings).toMatchObject([{ message: '*** *** *** kafka db:1', next: 'Say ***.' }]);
});

test('a certificate is wrong once it has expired, and to be looked at three weeks before', async () => {
  const now = Date.UTC(2026, 0, 1);
  const day = 86_400_000;
  const findings = await findingsOf((report) => {
    for (const days of [-1, 20, 22]) reportExpiry(report, 'certificate', now + days * day, now);
  });
  expect(findings.map(({ status }) => status)).toEqual(['wrong', 'warning', 'ok']);
});

test('records with messages are counted, and are wrong after some minutes', async () => {
  const findings = await findingsOf((report) => {
    reportOutbox(report, 'file', { documents: 1, oldestAt: 0 }, 1000);
    reportOutbox(report, 'file', { documents: 2, oldestAt: 0 }, 60_000);
    reportOutbox(report, 'file', { documents: 2, oldestAt: 0 }, 600_000);
  });
  expect(findings.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    'ok: 1 record with messages waiting, the oldest for 1 s',
    'warning: 2 records with messages waiting, the oldest for 1 min',
    'wrong: 2 records with messages waiting, the oldest for 10 min',
  ]);
});

test('a clock may be off by a second, not by half a minute', async () => {
  const findings = await findingsOf((report) => {
    for (const ms of [-1000, 5000, -30_000]) reportClock(report, 'clock', ms);
  });
  expect(findings.map(({ status }) => status)).toEqual(['ok', 'warning', 'wrong']);
});

test('the credentials in TRACKING_SOURCES are not shown, neither all at once nor one by one', () => {
  const sources = '[{"id":"a","source":"dhl","carriers":["*"],"credentials":{"key":"s3cret-key","push_token":"s3cret-token"}},null]';
  const redact = createRedaction({ TRACKING_SOURCES: sources, CREDENTIALS_SECRET: 'sealing' });
  expect(redact(`${sources} s3cret-key s3cret-token sealing dhl`)).toBe('*** *** *** *** dhl');
  expect(createRedaction({ TRACKING_SOURCES: 'no JSON' })('no JSON dhl')).toBe('*** dhl');
});

describe('secrets', () => {
  const random = (letter: string): string => Array.from({ length: 40 }, (_, index) => `${letter}${index % 10}`).join('');
  const env = { INTERNAL_SECRET: random('i'), FILE_SECRET: random('f'), CREDENTIALS_SECRET: random('c') };
  const findings = (more: Record<string, string> = {}) => runChecks([checkSecrets({ ...env, ...more })], asItIs);

  test('that are long, random and different are right', async () => {
    expect((await findings()).map(({ status }) => status)).toEqual(['ok']);
  });

  test.each(['', 'short', 'f'.repeat(40), env.INTERNAL_SECRET])(
    'never call for a new file secret in an installation that is in use',
    async (value) => {
      const wrong = (await findings({ FILE_SECRET: value })).filter(({ status }) => status === 'wrong');
      expect(wrong).toHaveLength(1);
      expect(wrong[0]?.next).toMatch(
        /Keep the one that the installation has\. Only for an installation that nobody has used yet: |keep FILE_SECRET/,
      );
    },
  );

  test('that seal credentials are as long as the others, and not one of them', async () => {
    expect(await findings({ CREDENTIALS_SECRET: 'short' })).toContainEqual(
      expect.objectContaining({ check: 'secret CREDENTIALS_SECRET', status: 'wrong' }),
    );
    expect(await findings({ CREDENTIALS_SECRET: env.FILE_SECRET })).toContainEqual(
      expect.objectContaining({ status: 'wrong', message: 'FILE_SECRET and CREDENTIALS_SECRET are the same' }),
    );
  });

  test.each(['INTERNAL_SECRET', 'CREDENTIALS_SECRET'] as const)('a rotation of %s is shown; one to itself is a warning', async (name) => {
    const rotation = async (former: string) =>
      (await findings({ [`${name}_PREVIOUS`]: former })).filter(({ check }) => check === 'secret rotation');
    expect(await rotation(random('p'))).toMatchObject([{ status: 'ok', message: expect.stringContaining(`${name}_PREVIOUS`) }]);
    expect(await rotation(env[name])).toMatchObject([{ status: 'warning', message: `${name}_PREVIOUS is ${name} itself` }]);
  });
});
