import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { contractBreaches, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { sendLabel, sendSubmission } from '../ledger/load.ts';
import type { Break } from './breaks.ts';
import type { FaultStage } from './fault.ts';

/** The value below which `share` of the sorted values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Starts work at a steady pace, even while earlier work runs, up to a bound. */
export class Metronome {
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;

  /**
   * @param work must not reject because of the fault
   * @param maxUnderWay skips beats while so much work is unfinished, so that a slow machine is not overloaded
   */
  constructor(perSecond: number, work: () => Promise<void>, maxUnderWay = Number.POSITIVE_INFINITY) {
    this.#timer = setInterval(() => {
      if (this.#running.size >= maxUnderWay) return;
      const one = work()
        .catch((error: unknown) => {
          this.#failure ??= error;
        })
        .finally(() => this.#running.delete(one));
      this.#running.add(one);
    }, 1000 / perSecond);
  }

  /** Begins no more and waits for what has begun. @throws what the first work that failed threw */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Requests of a probe: route, rate, allowed refusal, and deadline in milliseconds. */
const kinds = {
  submission: { route: 'submitForecast', perSecond: 8, refusal: '50301', withinMs: 8000 },
  label: { route: 'uploadPdf', perSecond: 2.5, refusal: '42207', withinMs: 3000 },
} as const;
type ProbeKind = keyof typeof kinds;

/** A request as its client saw it. */
interface Probed {
  readonly entry: LedgerEntry;
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** Of the envelope; empty when there was no response. */
  readonly code: string;
  /** What is wrong with the response: an unexpected code, a breach of the contract such as a 503 without Retry-After, or a late response. */
  readonly faults: readonly string[];
}

/** Makes the first request of a new parcel of the ledger. The load takes the parcel through afterwards. */
async function probe(kind: ProbeKind, { ledger, load: { clients } }: FaultStage): Promise<Probed> {
  const entry = ledger.begin(kind === 'submission' ? { isPlain: true } : {});
  const { route, refusal, withinMs } = kinds[kind];
  const send = async (): Promise<ApiResponse<unknown>> => {
    if (kind === 'submission') {
      const response = await sendSubmission(entry, clients);
      if (response.code === '0') ledger.acknowledgeForecast(entry, response.data.forecast_no);
      return response;
    }
    const response = await sendLabel(entry, clients);
    if (response.code === '0') entry.labelUrl = response.data.url;
    return response;
  };
  const at = performance.now();
  const response = await send().catch((error: unknown) => error as Error);
  const ms = performance.now() - at;
  const late = ms > withinMs ? [`a ${kind} took ${ms.toFixed(0)} ms`] : [];
  if (response instanceof Error) return { entry, at, ms, code: '', faults: [`a ${kind} had no response: ${response.message}`, ...late] };
  const { code, status } = response;
  const wrong = code === '0' || code === refusal ? [] : [`a ${kind} got ${status} ${code}`];
  return { entry, at, ms, code, faults: [...contractBreaches(routeById(route), response), ...wrong, ...late] };
}

const CONFIRMERS = 4;
const CONFIRMED_WITHIN_MS = 40_000;

/**
 * Sends submissions again on a healed platform until each is accepted, then once more. The ledger notes a different number.
 * @returns violations
 */
async function confirm(entries: readonly LedgerEntry[], { ledger, load: { clients } }: FaultStage): Promise<readonly string[]> {
  const violations: string[] = [];
  const left = [...entries];
  const deadline = performance.now() + CONFIRMED_WITHIN_MS;
  const isAccepted = async (entry: LedgerEntry): Promise<boolean> => {
    const { code, data } = await sendSubmission(entry, clients);
    if (code === '0') ledger.acknowledgeForecast(entry, data.forecast_no);
    return code === '0';
  };
  const work = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop()) {
      const sent = entry;
      const options = { everyMs: 200, what: `${sent.poNumber} to be accepted when it is sent again` };
      for (let time = 0; time < 2; time += 1)
        await until(() => isAccepted(sent), { ...options, within: Math.max(0, deadline - performance.now()) }).catch((error: unknown) =>
          violations.push(String(error)),
        );
    }
  };
  await Promise.all(Array.from({ length: CONFIRMERS }, work));
  return violations;
}

/** Requests of one kind in a span of time. */
export interface Summary {
  readonly count: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly p99: number;
}

function summarize(probed: readonly Probed[]): Summary {
  const times = probed.map(({ ms }) => ms);
  return { count: probed.length, refused: probed.filter(({ code }) => code !== '0').length, p99: quantile(times, 0.99) };
}

/** Requests of one kind, before and during a fault. */
export interface Seen {
  readonly before: Summary;
  /** Requests that began during the fault. */
  readonly during: Summary;
}

/** How something is broken, and for how long. */
interface Breakage {
  readonly forMs: number;
  readonly strike: Break;
  /** What else is tried while it is broken; its violations are added. */
  readonly meanwhile?: () => Promise<readonly string[]>;
}

const BEFORE_MS = 4000;
const AFTER_MS = 2000;

/** Breaks and heals something while clients make requests. Then sends every submission again. @param labels true to upload labels, too */
export async function probeThrough(
  stage: FaultStage,
  labels: boolean,
  { forMs, strike, meanwhile }: Breakage,
): Promise<{ readonly submissions: Seen; readonly labels: Seen; readonly violations: readonly string[] }> {
  const all: Record<ProbeKind, Probed[]> = { submission: [], label: [] };
  const steadily = (kind: ProbeKind) => new Metronome(kinds[kind].perSecond, async () => void all[kind].push(await probe(kind, stage)));
  const metronomes = [steadily('submission'), ...(labels ? [steadily('label')] : [])];
  let struck = Number.POSITIVE_INFINITY;
  let healed = Number.POSITIVE_INFINITY;
  let found: readonly string[] = [];
  try {
    await pause(BEFORE_MS);
    struck = performance.now();
    const heal = await strike(stage);
    try {
      const [violations = []] = await Promise.all([meanwhile?.(), pause(forMs)]);
      found = violations;
    } finally {
      healed = performance.now();
      await heal();
    }
    await pause(AFTER_MS);
  } finally {
    await Promise.all(metronomes.map((metronome) => metronome.stop()));
  }
  const entries = all.submission.map(({ entry }) => entry);
  const unconfirmed = await confirm(entries, stage);
  const seenOf = (kind: ProbeKind): Seen => ({
    before: summarize(all[kind].filter(({ at }) => at < struck)),
    during: summarize(all[kind].filter(({ at }) => at >= struck && at < healed)),
  });
  const submissions = seenOf('submission');
  const least = (kinds.submission.perSecond * (healed - struck)) / 2000;
  return {
    submissions,
    labels: seenOf('label'),
    violations: [
      ...found,
      ...new Set([...all.submission, ...all.label].flatMap(({ faults }) => faults)),
      ...unconfirmed,
      ...(submissions.during.count < least ? [`only ${submissions.during.count} submissions while it was broken`] : []),
    ],
  };
}
