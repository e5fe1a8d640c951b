import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const manual = readFileSync(new URL('../../../docs/kubernetes.md', import.meta.url), 'utf8');
const finished = /^finished\(\) \{\n[\s\S]*?^\}\n/m.exec(manual)?.[0] ?? '';

/** What `kubectl get` prints of a Job: its condition, and how many pods are ready and have failed. */
const WAITING = 'echo " 0"';
const RUNNING = 'echo " 1"';
const COMPLETE = 'echo "Complete 0"';
const FAILED = 'echo "Failed 01"';
const NO_RESPONSE = 'return 1';

/**
 * Runs the function of the manual with a clock of its own.
 * @param responses of `kubectl get`, each from so many seconds on
 * @param seconds that the Job may take; by default none are given
 */
function run(responses: readonly (readonly [number, string])[], seconds = '') {
  const cases = responses.map(([from, response]) => `[ "$SECONDS" -ge ${from} ] && response='${response}'`).join('\n');
  const script = `
    ${finished}
    sleep() { SECONDS=$((SECONDS + $1)); }
    kubectl() {
      case " $* " in *" logs "*) echo 'the log'; return 0 ;; esac
      local response=
      ${cases}
      eval "$response"
    }
    # From here on a variable like any other: only sleep moves it.
    unset SECONDS
    SECONDS=0
    finished sandbox migrate ${seconds}
    echo "returned $? after $SECONDS s"
  `;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
  const [, code, after] = /returned (\d) after (\d+) s/.exec(stdout) ?? [];
  return { code: Number(code), after: Number(after), stdout, stderr };
}

test('the function is in the manual, in the language that it says', () => {
  expect(finished).not.toBe('');
  execFileSync('bash', ['-n', '-c', finished]);
});

test('a Job that works for hours is waited for', () => {
  const job = [
    [0, WAITING],
    [100, RUNNING],
    [2000, WAITING],
    [7200, COMPLETE],
  ] as const;
  expect(run(job, '90060')).toMatchObject({ code: 0, after: 7200 });
});

test('one that fails ends it, with its log', () => {
  const { code, after, stdout } = run([
    [0, RUNNING],
    [50, FAILED],
  ]);
  expect({ code, after }).toEqual({ code: 1, after: 50 });
  expect(stdout).toContain('the log');
});

test('one of which no pod starts ends it after 16 minutes, however long it may take', () => {
  expect(run([[0, WAITING]], '90060')).toMatchObject({ code: 1, after: 960, stderr: 'no pod of job/migrate has started\n' });
});

test('one that is not done ends it after 16 minutes by default', () => {
  expect(run([[0, RUNNING]])).toMatchObject({ code: 1, after: 960, stderr: 'job/migrate is not done\n' });
});

test('an API server that is away for some moments does not end it', () => {
  const job = [
    [0, RUNNING],
    [10, NO_RESPONSE],
    [60, RUNNING],
    [70, NO_RESPONSE],
    [120, COMPLETE],
  ] as const;
  expect(run(job)).toMatchObject({ code: 0, after: 120 });
});

test('one that stays away does', () => {
  expect(run([[0, NO_RESPONSE]], '90060')).toMatchObject({ code: 1, after: 58, stderr: 'the API server does not show job/migrate\n' });
});
