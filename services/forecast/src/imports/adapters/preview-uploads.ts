import type { Readable } from 'node:stream';
import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';

/** Bytes of files that are held at a time. A third goes to one tenant at most: no file is larger. */
const MAX_HELD_BYTES = 3 * MAX_IMPORT_BYTES;

/** The content, once all of it has come. @throws AppError 50301 when too much is held; the error of the stream as it is */
type Receive = (content: Readable) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Files of previews, which are held in memory while they arrive and are read. A tenant has one at a time. An upload counts with the bytes that have come:
 * one that is slow keeps nobody else from a preview. A tenant holds no more than what is left then, so that there is room for further ones.
 */
export class PreviewUploads {
  readonly #tenants = new Set<string>();
  readonly #held: FairShares;

  /** @param maxBytes that are held at a time */
  constructor(maxBytes = MAX_HELD_BYTES) {
    this.#held = new FairShares({ capacity: maxBytes, part: 1 });
  }

  /** Holds what a tenant uploads until the work has ended. @throws AppError 50301 when the tenant has an upload under way; what the work throws */
  async hold<T>(tenantId: string, work: (receive: Receive) => Promise<T>): Promise<T> {
    if (this.#tenants.has(tenantId)) throw AppError.unavailable('Another preview of yours is under way; try again once it has ended');
    this.#tenants.add(tenantId);
    let own = 0;
    try {
      return await work(async (content) => {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of content as AsyncIterable<Buffer>) {
          if (!this.#held.take(tenantId, chunk.length)) {
            throw AppError.unavailable('Too many large files are being previewed; try again, or import the file without a preview');
          }
          own += chunk.length;
          size += chunk.length;
          chunks.push(chunk);
        }
        // The thread takes ownership of the array, so it must not be a slice of the pool.
        const file = new Uint8Array(size);
        let at = 0;
        for (const chunk of chunks) {
          file.set(chunk, at);
          at += chunk.length;
        }
        return file;
      });
    } finally {
      if (own > 0) this.#held.give(tenantId, own);
      this.#tenants.delete(tenantId);
    }
  }
}
