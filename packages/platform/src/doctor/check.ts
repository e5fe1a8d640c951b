import { within } from '@parcelway/kernel/within';

/** How bad it is: `wrong` needs an operator now; `warning` will need one later, or could not be checked from here. */
export type Status = 'ok' | 'warning' | 'wrong';

/** One line of the report. */
export interface Finding {
  /** What was checked, such as `mongodb primary`. */
  readonly check: string;
  readonly status: Status;
  /** One sentence without its full stop. */
  readonly message: string;
  /** What to do next, a sentence; absent when all is well. */
  readonly next?: string;
}

/** Receives the findings of a check, one after the other. */
export interface Report {
  ok(check: string, message: string): void;
  warning(check: string, message: string, next: string): void;
  wrong(check: string, message: string, next: string): void;
}

/** Checks one dependency. It reports each finding at once, so that a deadline loses none. */
export interface Check {
  /** Such as `mongodb`; names the finding for a timeout or a failure. */
  readonly name: string;
  /** Time limit of the whole check, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Loads the code that the check needs. All checks load before the first one runs: a large driver stops the process while it
   * loads, and that time must not count as the response time of another check's server.
   */
  load?(): Promise<unknown>;
  /** Throws when the dependency fails in a way that the check does not know. */
  run(report: Report): Promise<void>;
}

/** A finding that ends its check: nothing more can be checked. */
export class Verdict extends Error {
  readonly check: string;
  /** What to do next. */
  readonly next: string;

  constructor(check: string, message: string, next: string) {
    super(message);
    this.name = 'Verdict';
    this.check = check;
    this.next = next;
  }
}

/** A text on one line, without terminal control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
}

/** The innermost reason of a failure, in words. */
export function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code, message } = inner as NodeJS.ErrnoException;
  const text = message === undefined || message === '' ? String(code ?? inner) : message;
  return oneLine(text).replace(/\.$/, '');
}

async function examine(check: Check, report: Report): Promise<void> {
  const message = `no response within ${check.deadlineMs / 1000} s`;
  const next = 'It is overloaded, or a firewall drops the packets: try its address from this machine.';
  try {
    await within(check.deadlineMs, check.run(report), () => new Verdict(check.name, message, next));
  } catch (error) {
    if (error instanceof Verdict) report.wrong(error.check, error.message, error.next);
    else report.wrong(check.name, reasonOf(error), 'Fix that and run this again.');
  }
}

/**
 * Loads what the checks need, then runs them in parallel, each within its own deadline. A check that hangs or fails does not affect the others.
 * @param redact removes secrets from a text; every text passes through it
 * @param onFindings receives the findings of a check when it ends
 * @returns all findings, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  redact: (text: string) => string,
  onFindings: (findings: readonly Finding[]) => void = () => undefined,
): Promise<readonly Finding[]> {
  // What cannot be loaded fails again in the check itself, which reports it.
  await Promise.allSettled(checks.map((check) => check.load?.()));
  const all = await Promise.all(
    checks.map(async (check) => {
      const findings: Finding[] = [];
      let over = false;
      const add = (status: Status) => (name: string, message: string, next?: string) => {
        // Findings after the deadline are dropped.
        if (over) return;
        const text = { check: name, status, message: redact(oneLine(message)) };
        findings.push(next === undefined ? text : { ...text, next: redact(next) });
      };
      await examine(check, { ok: add('ok'), warning: add('warning'), wrong: add('wrong') });
      over = true;
      onFindings(findings);
      return findings;
    }),
  );
  return all.flat();
}
