import { describe, expect, test } from '@jest/globals';
import { type Check, type Finding, type Report, runChecks, Verdict } from './check.ts';
import { reportExpiry } from './check-certificate.ts';
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

test('a clock may be off by a second, not by half a minute', async () => {
  const findings = await findingsOf((report) => {
    for (const ms of [-1000, 5000, -30_000]) reportClock(report, 'clock', ms);
  });
  expect(findings.map(({ status }) => status)).toEqual(['ok', 'warning', 'wrong']);
});
