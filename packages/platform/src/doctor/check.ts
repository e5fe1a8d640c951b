/** How bad it is: `wrong` needs a person now, `warning` will some day or could not be looked at from here. */
export type Status = 'ok' | 'warning' | 'wrong';

/** One line of the report. */
export interface Finding {
  /** What was looked at, such as `mongodb primary`. */
  readonly check: string;
  readonly status: Status;
  /** One sentence without its full stop. */
  readonly message: string;
  /** What to do next, a sentence; absent when all is well. */
  readonly next?: string;
}

/** Takes what a check finds, one thing after the other. */
export interface Tell {
  ok(check: string, message: string): void;
  warning(check: string, message: string, next: string): void;
  wrong(check: string, message: string, next: string): void;
}

/** The examination of one dependency. It tells what it finds as it goes, so that a deadline in the middle loses nothing. */
export interface Check {
  /** Such as `mongodb`; names the line that says that it took too long or failed. */
  readonly name: string;
  /** Time for all of it, in milliseconds. */
  readonly deadlineMs: number;
  /** Throws when the dependency is out in a way that it has no words for. */
  run(tell: Tell): Promise<void>;
}

/** A finding that stops its check: nothing behind it can be looked at. */
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

/** A text on one line, without what could steer a terminal. */
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

async function examine(check: Check, tell: Tell): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), check.deadlineMs);
  });
  const running = check.run(tell);
  // Loses the race after the deadline; its failure is nobody's then.
  running.catch(() => undefined);
  try {
    if ((await Promise.race([running, late])) === 'late')
      tell.wrong(
        check.name,
        `no response within ${check.deadlineMs / 1000} s`,
        'It is up and overloaded, or a firewall drops what is sent to it: try its address from this machine.',
      );
  } catch (error) {
    if (error instanceof Verdict) tell.wrong(error.check, error.message, error.next);
    else tell.wrong(check.name, reasonOf(error), 'Mend that and run this again.');
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs checks side by side, each within its own deadline; none of them can hold up or break another.
 * @param redact takes secrets out of a text; every text passes through it
 * @param onFindings gets what one check has found, when it is over
 * @returns all findings, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  redact: (text: string) => string,
  onFindings: (findings: readonly Finding[]) => void = () => undefined,
): Promise<readonly Finding[]> {
  const all = await Promise.all(
    checks.map(async (check) => {
      const findings: Finding[] = [];
      let over = false;
      const add = (status: Status) => (name: string, message: string, next?: string) => {
        // What comes after the deadline belongs to no report any more.
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
