import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { contractBreaches, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { sendLabel, sendPhoto, sendSubmission } from '../ledger/load.ts';
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
interface Kind {
  readonly route: string;
  readonly perSecond: number;
  readonly refusal: string;
  readonly withinMs: number;
}

const kinds = {
  submission: { route: 'submitForecast', perSecond: 8, refusal: '50301', withinMs: 8000 },
  label: { route: 'uploadPdf', perSecond: 2.5, refusal: '42207', withinMs: 3000 },
  photo: { route: 'uploadPhoto', perSecond: 2.5, refusal: '42207', withinMs: 3000 },
} as const satisfies Readonly<Record<string, Kind>>;
export type ProbeKind = keyof typeof kinds;

/** A request as its client saw it. */
export interface Probed {
  readonly kind: ProbeKind;
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
  const entry = ledger.begin(kind === 'submission' ? { isPlain: true } : { hasLargeLabel: true });
  const { route, refusal, withinMs } = kinds[kind];
  const send = async (): Promise<ApiResponse<unknown>> => {
    if (kind === 'submission') {
      const response = await sendSubmission(entry, clients);
      if (response.code === '0') ledger.acknowledgeForecast(entry, response.data.forecast_no);
      return response;
    }
    const response = kind === 'label' ? await sendLabel(entry, clients) : await sendPhoto(entry, clients);
    if (response.code === '0' && 'url' in response.data) entry.labelUrl = response.data.url;
    if (response.code === '0' && 'photo_id' in response.data) entry.photoId = response.data.photo_id;
    return response;
  };
  const at = performance.now();
  const response = await send().catch((error: unknown) => error as Error);
  const ms = performance.now() - at;
  const late = ms > withinMs ? [`a ${kind} took ${ms.toFixed(0)} ms`] : [];
  if (response instanceof Error)
    return { kind, entry, at, ms, code: '', faults: [`a ${kind} had no response: ${response.message}`, ...late] };
  const { code, status } = response;
  const wrong = code === '0' || code === refusal ? [] : [`a ${kind} got ${status} ${code}`];
  return { kind, entry, at, ms, code, faults: [...new Set([...contractBreaches(routeById(route), response), ...wrong, ...late])] };
}

const CONFIRMERS = 4;
const CONFIRMED_WITHIN_MS = 40_000;

/**
 * Sends submissions again on a healed platform until each is accepted, then once more. The ledger notes a different number.
 * @returns violations
 */
export async function confirm(entries: readonly LedgerEntry[], { ledger, load: { clients } }: FaultStage): Promise<readonly string[]> {
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

/** Requests of a span of time. */
export interface Summary {
  readonly count: number;
  /** By code, such as `accepted 41, 50301 7`. */
  readonly codes: string;
  readonly refused: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

function summarize(probed: readonly Probed[]): Summary {
  const times = probed.map(({ ms }) => ms);
  const counts = new Map<string, number>();
  for (const { code } of probed) counts.set(code, (counts.get(code) ?? 0) + 1);
  const named = [...counts].map(([code, count]) => `${code === '0' ? 'accepted' : code || 'no response'} ${count}`);
  const refused = probed.length - (counts.get('0') ?? 0);
  return {
    count: probed.length,
    codes: named.join(', '),
    refused,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    slowest: Math.max(0, ...times),
  };
}

/** Requests of one kind, before and during a fault. */
export interface Seen {
  readonly before: Summary;
  /** Requests that began during the fault. */
  readonly during: Summary;
}

/** How something is broken, and for how long. */
export interface Breakage {
  readonly forMs: number;
  readonly strike: Break;
  /** How long clients make requests before it; default 4 s. */
  readonly beforeMs?: number;
  /** Default: submissions alone. */
  readonly kinds?: readonly ProbeKind[];
  /** What else is tried while it is broken; its violations are added. */
  readonly meanwhile?: () => Promise<readonly string[]>;
}

const BEFORE_MS = 4000;
const AFTER_MS = 2000;

/** Breaks and heals something while clients make requests. Then sends every submission again. */
export async function probeThrough(
  stage: FaultStage,
  { forMs, strike, beforeMs = BEFORE_MS, kinds: asked = ['submission'], meanwhile }: Breakage,
): Promise<{ readonly seen: Readonly<Record<ProbeKind, Seen>>; readonly violations: readonly string[] }> {
  const all: Probed[] = [];
  const metronomes = asked.map((kind) => new Metronome(kinds[kind].perSecond, async () => void all.push(await probe(kind, stage))));
  let struck = Number.POSITIVE_INFINITY;
  let healed = Number.POSITIVE_INFINITY;
  let found: readonly string[] = [];
  try {
    await pause(beforeMs);
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
  const submitted = all.filter(({ kind }) => kind === 'submission').map(({ entry }) => entry);
  const unconfirmed = await confirm(submitted, stage);
  const seenOf = (kind: ProbeKind): Seen => {
    const own = all.filter((one) => one.kind === kind);
    return {
      before: summarize(own.filter(({ at }) => at < struck)),
      during: summarize(own.filter(({ at }) => at >= struck && at < healed)),
    };
  };
  const seen = { submission: seenOf('submission'), label: seenOf('label'), photo: seenOf('photo') };
  const least = (kinds.submission.perSecond * (healed - struck)) / 2000;
  return {
    seen,
    violations: [
      ...found,
      ...new Set(all.flatMap(({ faults }) => faults)),
      ...unconfirmed,
      ...(seen.submission.during.count < least ? [`only ${seen.submission.during.count} submissions while it was broken`] : []),
    ],
  };
}
