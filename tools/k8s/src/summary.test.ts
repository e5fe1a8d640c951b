import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { notedProblems, summaryOf } from './summary.ts';

const sound = { steps: [{ name: 'kubeconform', ok: true }], noted: [], skipped: [], seconds: 3.2 };
const run = { name: 'overlays', ok: true, passed: 30, failed: 0 };

test('what is in order is short', () => {
  const expected = 'checks: 2 of 2 ok\ntook 3 s\n30 passed, 0 failed';
  expect(summaryOf({ ...sound, runs: [run] })).toEqual({ ok: true, text: expected });
});

test('what failed is named once, with what was skipped; tests that failed are a check that failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parcelway-k8s-'));
  try {
    const lines = [
      { where: 'sandbox', problem: 'tracking: A is not set' },
      { where: 'production', problem: 'gateway: A is not set' },
      { where: 'sandbox', problem: 'gateway: A is not set' },
    ].map((each) => JSON.stringify(each));
    writeFileSync(join(folder, 'problems.jsonl'), `${lines.join('\n')}\n`);
    const steps = [{ name: 'kube-score, acme', ok: false, output: '[CRITICAL] file\n[CRITICAL] file\n' }];
    const runs = [{ ...run, ok: false, passed: 28, failed: 2 }];
    const { ok, text } = summaryOf({ ...sound, steps, runs, noted: notedProblems(folder), skipped: ['kube-linter: not on the path'] });
    expect(ok).toBe(false);
    expect(text.split('\n')).toEqual([
      'problems (2):',
      '  - tracking, gateway: A is not set [sandbox, production]',
      '  - kube-score, acme: [CRITICAL] file',
      'skipped: kube-linter: not on the path',
      'checks: 0 of 2 ok; failed: kube-score, acme; failed: overlays',
      'took 3 s',
      '28 passed, 3 failed',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a run that ended without a test is a failure', () => {
  const { ok, text } = summaryOf({ ...sound, runs: [{ ...run, passed: 0 }] });
  expect(ok).toBe(false);
  expect(text).toContain('overlays: failed, see above');
  expect(text).toMatch(/0 passed, 1 failed$/);
});
