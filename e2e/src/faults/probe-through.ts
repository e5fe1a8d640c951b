import { setTimeout as pause } from 'node:timers/promises';
import type { FaultStage } from './fault.ts';
import { type SubmissionSummary, summarize } from './latency.ts';
import { improperResponses, type ProbedSubmission, SubmissionProbe } from './submission-probe.ts';

/** How something is broken, and for how long. */
export interface Breakage {
  readonly forMs: number;
  /** How long merchants submit before it; 4 s when not given. */
  readonly beforeMs?: number;
  /** @returns what heals it */
  readonly strike: () => Promise<() => Promise<void>>;
  /** What else is tried while it is broken; its violations are added. */
  readonly meanwhile?: () => Promise<readonly string[]>;
}

/** What merchants saw who submitted forecasts without files all along. */
export interface Probed {
  readonly before: SubmissionSummary;
  /** Those begun while it was broken. */
  readonly during: SubmissionSummary;
  /** Of them, by code. */
  readonly codes: string;
  /** Of all from the fault on, in milliseconds. */
  readonly slowest: number;
  /** Wrong responses, and forecast numbers that changed when the submission was sent again. */
  readonly violations: readonly string[];
}

const PER_SECOND = 8;
const BEFORE_MS = 4000;
const AFTER_MS = 2000;

/** Counts of the codes, such as `0: 41, 50301: 7`. */
function countCodes(submissions: readonly ProbedSubmission[]): string {
  const counts = new Map<string, number>();
  for (const { code, status } of submissions) counts.set(code || `status ${status}`, (counts.get(code || `status ${status}`) ?? 0) + 1);
  return [...counts].map(([code, count]) => `${code === '0' ? 'accepted' : code} ${count}`).join(', ');
}

/** Breaks something while merchants submit, heals it, and has them send everything again. */
export async function probeThrough({ merchant }: Pick<FaultStage, 'merchant'>, breakage: Breakage): Promise<Probed> {
  const probe = new SubmissionProbe(merchant, PER_SECOND);
  const from = performance.now();
  let struck = from;
  let healed = from;
  let found: readonly string[] = [];
  try {
    await pause(breakage.beforeMs ?? BEFORE_MS);
    struck = performance.now();
    const heal = await breakage.strike();
    try {
      const [violations = []] = await Promise.all([breakage.meanwhile?.(), pause(breakage.forMs)]);
      found = violations;
    } finally {
      healed = performance.now();
      await heal();
    }
    await pause(AFTER_MS);
  } finally {
    await probe.stop();
  }
  const { submissions } = probe;
  const sinceFault = submissions.filter(({ at }) => at >= struck);
  const whileBroken = sinceFault.filter(({ at }) => at < healed);
  const least = (PER_SECOND * (healed - struck)) / 2000;
  return {
    before: summarize(submissions, from, struck),
    during: summarize(submissions, struck, healed),
    codes: countCodes(whileBroken),
    slowest: Math.max(...sinceFault.map(({ ms }) => ms)),
    violations: [
      ...found,
      ...new Set(improperResponses(submissions)),
      ...(await probe.confirm()),
      ...(whileBroken.length < least ? [`only ${whileBroken.length} submissions while it was broken`] : []),
    ],
  };
}
