import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScript } from '../child-server.ts';
import { closedLoopOf } from '../closed-loop.ts';
import { PICTURE_AT, pictureLabel } from '../picture-label.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';

const MEGABYTE = 1_000_000;
const CONCURRENCY = 4;
const BOUNDARY = 'parcelway-bench-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="label.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
let counter = 0;

/** How much one measure uploads. Bounded by amount and not by time: what is uploaded stays on the disk until the end. */
export interface UploadSize {
  readonly megabytes: number;
  readonly files: number;
  readonly concurrency: number;
}

/** Files of `megabytes` each, fewer of the large ones. */
export function uploadSize(options: SuiteOptions, megabytes: number): UploadSize {
  return { megabytes, files: Math.max(2 * CONCURRENCY, (options.scale.quick ? 40 : 160) / megabytes), concurrency: CONCURRENCY };
}

/** Uploads of distinct PDFs of one size, four at a time. */
export class Uploader {
  readonly #megabytes: number;
  readonly #forms: readonly Buffer[];

  constructor(megabytes: number) {
    this.#megabytes = megabytes;
    this.#forms = Array.from({ length: CONCURRENCY }, () => formOf(megabytes * MEGABYTE));
  }

  /** Uploads `files` files. @returns MB/s */
  async upload(client: RawClient, files: number): Promise<number> {
    const { perSecond } = await closedLoopOf(CONCURRENCY, files, (worker) => this.#send(client, this.#forms[worker] as Buffer));
    return perSecond * this.#megabytes;
  }

  /** Uploads one file, also while others are under way. */
  uploadOne(client: RawClient): Promise<void> {
    return this.#send(client, Buffer.from(this.#forms[0] as Buffer));
  }

  #send(client: RawClient, form: Buffer): Promise<void> {
    counter += 1;
    // Distinct in place: making a new form for each would cost more than sending it.
    form.writeUInt32BE(counter, HEAD.length + PICTURE_AT);
    return client.send('POST', '/open/v1/files/pdf', form, `multipart/form-data; boundary=${BOUNDARY}`);
  }
}

function formOf(bytes: number): Buffer {
  return Buffer.concat([Buffer.from(HEAD), pictureLabel(bytes), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

async function measure(options: SuiteOptions, megabytes: number): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  const { files } = uploadSize(options, megabytes);
  const uploader = new Uploader(megabytes);
  try {
    const samples = await onStage(async (stage) => {
      const bare = await startScript<{ origin: string }>('processes/upload-server.js', [stage.certFile, stage.keyFile, directory]);
      try {
        const merchant = stage.client(stage.tenantKey, CONCURRENCY);
        const outsider = stage.referenceClient(bare.info.origin, CONCURRENCY);
        await uploader.upload(merchant, files / 4);
        await uploader.upload(outsider, files / 4);
        return await inCycles(options, `uploads of ${megabytes} MB`, async () => ({
          ours: await uploader.upload(merchant, files),
          reference: await uploader.upload(outsider, files),
        }));
      } finally {
        await bare.stop();
      }
    });
    const about = { suite: 'uploads', name: `Uploads of ${megabytes} MB`, unit: 'MB/s', reference: 'node:https, stream to a synced file' };
    return rowOf({ ...about, better: 'higher' }, samples);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** PDFs stored a second over HTTPS, next to a server that only streams the request into a file and syncs it. */
export const uploads: Suite = async (options) => [await measure(options, 1), await measure(options, 10)];
