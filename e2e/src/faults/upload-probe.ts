import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { contractBreaches, routeById } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import type { FaultStage } from './fault.ts';
import { Metronome } from './latency.ts';

/** An upload of the probe, sent once while something was broken. */
export interface ProbedUpload {
  readonly kind: 'pdf' | 'photo';
  readonly content: Buffer;
  readonly ms: number;
  /** Of the envelope; empty when there was no response. */
  readonly code: string;
  readonly url: string | undefined;
  readonly breaches: readonly string[];
}

/** A client has its response within this time, or within the time that its bytes take. */
const MAX_WAIT_MS = 3000;
const CONFIRM_WITHIN_MS = 30_000;
/** Repeats of a text that make a PDF of some 60 kB. */
const REPEATS = 3000;

type Uploaded = ApiResponse<UploadedFile & UploadedPhoto>;

const urlOf = ({ code, data }: Uploaded): string | undefined => (code === '0' ? (data.url ?? data.image_url) : undefined);

/** Uploads PDFs and photos in turn at a steady pace, each of its own content. */
export class UploadProbe {
  readonly uploads: ProbedUpload[] = [];
  readonly #stage: Pick<FaultStage, 'merchant' | 'clerk'>;
  readonly #metronome: Metronome;
  #begun = 0;

  constructor(stage: Pick<FaultStage, 'merchant' | 'clerk'>, perSecond: number) {
    this.#stage = stage;
    this.#metronome = new Metronome(perSecond, () => this.#probe());
  }

  /** Begins no further upload and waits for the responses. */
  stop(): Promise<void> {
    return this.#metronome.stop();
  }

  /**
   * On a healed platform: sends every content again, and opens what comes of it. A record without its content would show here,
   * because a tenant's PDF that is there already is not stored a second time.
   * @returns violations
   */
  async confirm(): Promise<readonly string[]> {
    const violations: string[] = [];
    for (const upload of this.uploads) {
      const again = await until(async () => urlOf(await this.#send(upload.kind, upload.content)), {
        within: CONFIRM_WITHIN_MS,
        everyMs: 200,
        what: `a ${upload.kind} to be stored`,
      });
      if (upload.kind === 'pdf' && upload.url !== undefined && upload.url !== again) violations.push('a PDF has two addresses');
      for (const url of new Set([upload.url ?? again, again])) {
        const { status, bytes } = await this.#stage.merchant.client.fetchBytes(url);
        if (status !== 200 || !bytes.equals(upload.content))
          violations.push(`a ${upload.kind} opens with ${status} and ${bytes.length} bytes`);
      }
    }
    return violations;
  }

  async #probe(): Promise<void> {
    this.#begun += 1;
    const kind = this.#begun % 2 === 0 ? 'photo' : 'pdf';
    const mark = newPoNumber('FILE');
    const content = kind === 'photo' ? samplePng(mark) : samplePdf(mark.repeat(REPEATS));
    const at = performance.now();
    const response = await this.#send(kind, content).catch((error: unknown) => error as Error);
    const ms = performance.now() - at;
    const sent = { kind, content, ms } as const;
    if (response instanceof Error) this.uploads.push({ ...sent, code: '', url: undefined, breaches: [`no response: ${response.message}`] });
    else {
      const breaches = contractBreaches(routeById(kind === 'photo' ? 'uploadPhoto' : 'uploadPdf'), response);
      this.uploads.push({ ...sent, code: response.code, url: urlOf(response), breaches });
    }
  }

  #send(kind: ProbedUpload['kind'], content: Buffer): Promise<Uploaded> {
    const { merchant, clerk } = this.#stage;
    return kind === 'photo'
      ? clerk.client.upload('/warehouse/v1/photos', 'probe.png', content, 'image/png')
      : merchant.client.upload('/open/v1/files/pdf', 'probe.pdf', content);
  }
}

/** Uploads that were neither stored nor refused as something that passes (42207 with Retry-After), or not in time. */
export function improperUploads(uploads: readonly ProbedUpload[]): string[] {
  return uploads.flatMap(({ kind, code, ms, breaches }) => [
    ...breaches,
    ...(breaches.length === 0 && code !== '0' && code !== '42207' ? [`the upload of a ${kind} got ${code}`] : []),
    ...(ms > MAX_WAIT_MS ? [`the upload of a ${kind} took ${ms.toFixed(0)} ms`] : []),
  ]);
}
