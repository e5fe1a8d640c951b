import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Blobs, storageFailure } from '@parcelway/blobs/blobs';
import type { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { Platform } from '@parcelway/platform/service';
import type { Router } from 'express';
import type { ForecastReader } from '../../store/forecast-store.ts';
import type { WarehouseStore } from '../../store/warehouse-store.ts';
import type { SubmitForecast } from '../../submission/submit-forecast.ts';
import type { ValidateForecast } from '../../submission/validate-forecast.ts';
import type { ImportStops, ImportStore } from '../import-store.ts';
import { createImportRunner } from '../run-imports.ts';
import type { ImportFileStore } from '../start-import.ts';
import { importHandlers } from '../stop-imports.ts';
import { importRoutes } from './http-imports.ts';
import { WorkerSpreadsheetReader } from './reading/worker-spreadsheet-reader.ts';

/** For reading a whole file. An upload of 20 MB may take the object store a third of it. */
const READ_MS = 60_000;

/** Files of imports in the object storage: at most 20 MB each. A read that breaks off or takes too long is 50301, so that it is repeated. */
function createBlobImportFiles(blobs: Blobs): ImportFileStore {
  return {
    put: (fileKey, content) => blobs.put(fileKey, content, 'application/octet-stream'),
    async read(fileKey) {
      const content = await blobs.open(fileKey);
      if (content === undefined) return undefined;
      try {
        // A small one may be a part of a pool that others use.
        return new Uint8Array(await buffer(addAbortSignal(AbortSignal.timeout(READ_MS), content)));
      } catch (error) {
        throw storageFailure(error);
      }
    },
    delete: (fileKey) => blobs.delete(fileKey),
  };
}

export interface OpenImportsOptions {
  readonly imports: ImportStore;
  readonly importStops: ImportStops;
  /** The lease of a work, by its name: one process at a time reads files, submits forecasts, and removes what is over. */
  readonly lease: (name: string) => WorkLease;
  readonly store: ForecastReader;
  readonly blobs: Blobs;
  readonly warehouses: Pick<WarehouseStore, 'some'>;
  readonly submit: SubmitForecast;
  readonly validate: ValidateForecast;
  readonly idempotency: Idempotency;
  readonly isErased: (tenantId: string) => boolean;
}

export type Imports = ReturnType<typeof openImports>;

/** Imports on a platform, not yet started. */
export function openImports({ clock, fileSecrets }: Platform, logger: Logger, options: OpenImportsOptions) {
  const { imports: store, importStops: stops, lease, store: forecasts } = options;
  const files = createBlobImportFiles(options.blobs);
  const reader = new WorkerSpreadsheetReader(logger);
  const work = { store, files, reader, forecasts, clock, logger };
  const runner = createImportRunner({ ...options, ...work, lease: lease('forecast-imports') });
  const cursors = createSealedCursors(fileSecrets, 'imports');
  return {
    /** Adds the routes; before those of a po_number. */
    routes(router: Router): void {
      const start = { store, stops, files, logger, wake: () => runner.wake() };
      importRoutes(router, { ...options, start, store, cursors, clock, reader });
    },
    /** What the events of the gateway do. */
    handlers: importHandlers({ store, stops, files, clock }),
    start: () => runner.start(),
    async stop(): Promise<void> {
      // The runner hears of the stop first: what it reads goes on later, and is no failure of the file.
      const stopped = runner.stop();
      await reader.close();
      await stopped;
    },
  };
}
