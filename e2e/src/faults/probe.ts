import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { contractBreaches, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { sendLabel, sendSubmission } from '../ledger/load.ts';
import type { Break } from './breaks.ts';
import type { FaultStage, Findings } from './fault.ts';

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

/** A request as its client saw it. */
interface Probed {
  readonly entry: LedgerEntry;
  readonly isRefused: boolean;
  /** What is wrong with the response: an unexpected code, a breach of the contract such as a 503 without Retry-After, or a late response. */
  readonly faults: readonly string[];
}

/** Makes the first request of a new parcel of the ledger. The load takes the parcel through afterwards. */
async function probe(kind: keyof typeof kinds, { ledger, load: { clients } }: FaultStage): Promise<Probed> {
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
  if (response instanceof Error) return { entry, isRefused: true, faults: [`a ${kind} had no response: ${response.message}`, ...late] };
  const { code, status } = response;
  const wrong = code === '0' || code === refusal ? [] : [`a ${kind} got ${status} ${code}`];
  return { entry, isRefused: code !== '0', faults: [...contractBreaches(routeById(route), response), ...wrong, ...late] };
}

const CONFIRMERS = 4;
const CONFIRMED_WITHIN_MS = 40_000;

/** Sends submissions again on a healed platform until each is accepted, then once more. The ledger notes a different number. @returns violations */
async function confirm(entries: readonly LedgerEntry[], { ledger, load: { clients } }: FaultStage): Promise<readonly string[]> {
  const violations: string[] = [];
  const left = entries.flatMap((entry) => [entry, entry]);
  const deadline = performance.now() + CONFIRMED_WITHIN_MS;
  const isAccepted = async (entry: LedgerEntry): Promise<boolean> => {
    const { code, data } = await sendSubmission(entry, clients);
    if (code === '0') ledger.acknowledgeForecast(entry, data.forecast_no);
    return code === '0';
  };
  const work = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop()) {
      const sent = entry;
      const options = { within: Math.max(0, deadline - performance.now()), everyMs: 200, what: `${sent.poNumber} to be accepted again` };
      await until(() => isAccepted(sent), options).catch((error: unknown) => violations.push(String(error)));
    }
  };
  await Promise.all(Array.from({ length: CONFIRMERS }, work));
  return violations;
}

/** What clients may notice of something that breaks. */
export interface Probing {
  /** Submissions are accepted all the while; default: they may be refused. */
  readonly isSpared?: true;
  /** Uploads are tried, too, and some have to be refused. */
  readonly refusesUploads?: true;
  /** What else is tried while it is broken. @returns violations */
  readonly meanwhile?: (stage: FaultStage) => Promise<readonly string[]>;
}

const BEFORE_MS = 2000;
const AFTER_MS = 2000;

/** Breaks and heals something while clients make requests. Then sends every submission again. */
export async function probeThrough(stage: FaultStage, strike: Break, forMs: number, probing: Probing): Promise<Findings> {
  const { isSpared, refusesUploads, meanwhile } = probing;
  const submissions: Probed[] = [];
  const labels: Probed[] = [];
  const steadily = (kind: keyof typeof kinds, all: Probed[]) =>
    new Metronome(kinds[kind].perSecond, async () => void all.push(await probe(kind, stage)));
  const metronomes = [steadily('submission', submissions), ...(refusesUploads ? [steadily('label', labels)] : [])];
  let found: readonly string[] = [];
  try {
    await pause(BEFORE_MS);
    const heal = await strike(stage);
    try {
      [found = []] = await Promise.all([meanwhile?.(stage), pause(forMs)]);
    } finally {
      await heal();
    }
    await pause(AFTER_MS);
  } finally {
    await Promise.all(metronomes.map((metronome) => metronome.stop()));
  }
  const entries = submissions.map(({ entry }) => entry);
  const [refused, refusedLabels] = [submissions, labels].map((all) => all.filter(({ isRefused }) => isRefused).length);
  return {
    observed: `${submissions.length} submissions, ${refused} refused; ${labels.length} uploads, ${refusedLabels} refused`,
    violations: [
      ...found,
      ...new Set([...submissions, ...labels].flatMap(({ faults }) => faults)),
      ...(await confirm(entries, stage)),
      ...(submissions.length === 0 ? ['no submission was made'] : []),
      ...(isSpared && refused !== 0 ? [`${refused} submissions were refused`] : []),
      ...(refusesUploads && refusedLabels === 0 ? ['no upload was refused: the store was not broken'] : []),
    ],
  };
}
