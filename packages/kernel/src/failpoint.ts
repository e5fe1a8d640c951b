/**
 * Named places where a test may kill, delay or fail the process. They do nothing unless the environment variable
 * `FAILPOINT` names them: `FAILPOINT=<name>:kill`, `<name>:throw`, `<name>:delay:<ms>`; several with commas;
 * `<name>@<n>:kill` acts on the n-th passage only.
 */

/** Every kill point of the platform. */
export const failpointNames = [
  'forecast.before-insert',
  'forecast.after-insert',
  'forecast.before-correct',
  'forecast.after-correct',
  'forecast.after-answer',
  'outbox.leased',
  'outbox.published',
  'outbox.removed',
  'log.appended',
  'consumer.received',
  'consumer.effect-written',
  'intake.before-insert',
  'intake.after-insert',
  'intake.before-claim',
  'intake.after-claim-recorded',
  'intake.after-claim',
  'intake.directory-followed',
  'intake.before-view',
  'intake.after-view',
  'intake.before-items',
  'file.content-stored',
  'photo.content-stored',
  'documents.before-put',
  'documents.after-put',
  'documents.after-record',
  'retention.archived',
  'retention.deleted',
  'idempotency.before-record',
  'webhook.before-send',
  'webhook.after-2xx',
  'import.file-stored',
  'import.rows-stored',
  'import.before-settle',
  'erasure.after-step',
] as const;

/** Name of a kill point. */
export type FailpointName = (typeof failpointNames)[number];

interface Armed {
  readonly action: 'kill' | 'throw' | 'delay';
  readonly delayMs: number;
  readonly onPassage: number;
  passages: number;
}

function parse(spec: string | undefined): ReadonlyMap<string, Armed> {
  const armed = new Map<string, Armed>();
  for (const part of (spec ?? '').split(',')) {
    if (part === '') continue;
    const match = /^([a-z0-9.-]+)(?:@(\d+))?:(kill|throw|delay)(?::(\d+))?$/.exec(part.trim());
    if (!match || !(failpointNames as readonly string[]).includes(match[1] as string)) {
      throw new Error(
        `FAILPOINT has an unknown entry "${part}"; expected <name>[@n]:kill|throw|delay:<ms> with one of ${failpointNames.join(', ')}`,
      );
    }
    armed.set(match[1] as string, {
      action: match[3] as Armed['action'],
      delayMs: Number(match[4] ?? 0),
      onPassage: Number(match[2] ?? 0),
      passages: 0,
    });
  }
  return armed;
}

/** What is wrong with the variable; kept, because a module that is being loaded has nobody to report it to. */
let problem: Error | undefined;

function parseFromEnvironment(): ReadonlyMap<string, Armed> {
  try {
    return parse(process.env.FAILPOINT);
  } catch (error) {
    problem = error as Error;
    return new Map();
  }
}

const armed = parseFromEnvironment();

/** Call it at start. @throws Error naming what is wrong with FAILPOINT and what is allowed */
export function assertFailpoints(): void {
  if (problem) throw problem;
}

function act(name: FailpointName): Armed | undefined {
  const point = armed.get(name);
  if (!point) return undefined;
  point.passages += 1;
  if (point.onPassage > 0 && point.passages !== point.onPassage) return undefined;
  if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
  if (point.action === 'throw') throw new Error(`failpoint ${name}`);
  return point;
}

async function actAsync(name: FailpointName): Promise<void> {
  const point = act(name);
  if (point?.action === 'delay') await new Promise((resolve) => setTimeout(resolve, point.delayMs));
}

const PASSED = Promise.resolve();

/** Passes the kill point `name`. Free when nothing is armed. A `delay` only takes effect in {@link failpointAsync}. */
export function failpoint(name: FailpointName): void {
  if (armed.size > 0) act(name);
}

/** As {@link failpoint}, in an asynchronous place: also honours `delay`. */
export const failpointAsync = (name: FailpointName): Promise<void> => (armed.size > 0 ? actAsync(name) : PASSED);
