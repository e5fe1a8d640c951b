import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { contractBreaches, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Submission } from './latency.ts';
import { Metronome } from './latency.ts';

const PATH = '/open/v1/forecasts';
/** A submission of the probe, sent once while something was broken. */
export interface ProbedSubmission extends Submission {
  readonly poNumber: string;
  readonly body: unknown;
  /** Of the envelope; empty when there was no response. */
  readonly code: string;
  readonly forecastNo: string | undefined;
  /** What the response has wrong against the contract, such as a 503 without Retry-After. */
  readonly breaches: readonly string[];
}

/** Longest wait of a client for any response, in milliseconds. */
const MAX_WAIT_MS = 8000;
const CONFIRM_WITHIN_MS = 30_000;
const CONFIRMERS = 6;

/** Submits forecasts without files at a steady pace, however long the responses take, and keeps the responses. */
export class SubmissionProbe {
  readonly submissions: ProbedSubmission[] = [];
  readonly #merchant: Merchant;
  readonly #metronome: Metronome;

  constructor(merchant: Merchant, perSecond: number) {
    this.#merchant = merchant;
    this.#metronome = new Metronome(perSecond, () => this.#submit());
  }

  /** Begins no further submission and waits for the responses. */
  stop(): Promise<void> {
    return this.#metronome.stop();
  }

  /**
   * On a healed platform: sends every submission again, as clients do. Each has to be accepted, under the number that it was
   * of the first response if there was one, and under the same number when it is sent a third time.
   * @returns violations
   */
  async confirm(): Promise<readonly string[]> {
    const violations: string[] = [];
    const left = [...this.submissions];
    const work = async (): Promise<void> => {
      for (let next = left.pop(); next; next = left.pop()) {
        const submission = next;
        const accept = (): Promise<string | undefined> =>
          this.#merchant.submitBody(submission.body).then(({ code, data }) => (code === '0' ? data.forecast_no : undefined));
        const again = await until(accept, { within: CONFIRM_WITHIN_MS, everyMs: 200, what: `${submission.poNumber} to be accepted` });
        const third = await accept();
        const numbers = new Set([submission.forecastNo ?? again, again, third]);
        if (numbers.size > 1) violations.push(`${submission.poNumber} has the numbers ${[...numbers].join(', ')}`);
      }
    };
    await Promise.all(Array.from({ length: CONFIRMERS }, work));
    return violations;
  }

  async #submit(): Promise<void> {
    const poNumber = newPoNumber('PROBE');
    const body = await this.#merchant.body({ poNumber, forecastType: 1 });
    const at = performance.now();
    const response = await this.#merchant.client.call<ForecastAcceptance>(PATH, { body }).catch((error: unknown) => error as Error);
    this.submissions.push({ poNumber, body, at, ms: performance.now() - at, ...outcomeOf(response) });
  }
}

function outcomeOf(
  response: ApiResponse<ForecastAcceptance> | Error,
): Pick<ProbedSubmission, 'status' | 'code' | 'forecastNo' | 'breaches'> {
  if (response instanceof Error) return { status: 0, code: '', forecastNo: undefined, breaches: [`no response: ${response.message}`] };
  const { status, code } = response;
  const forecastNo = code === '0' ? response.data.forecast_no : undefined;
  return { status, code, forecastNo, breaches: contractBreaches(routeById('submitForecast'), response) };
}

/** Submissions that were neither accepted nor refused as something that passes (50301 with Retry-After), or not in time. */
export function improperResponses(submissions: readonly ProbedSubmission[]): string[] {
  return submissions.flatMap(({ code, status, ms, breaches }) => [
    ...breaches,
    ...(breaches.length === 0 && code !== '0' && code !== '50301' ? [`a submission got ${status} ${code}`] : []),
    ...(ms > MAX_WAIT_MS ? [`a submission took ${ms.toFixed(0)} ms`] : []),
  ]);
}
