import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Blobs } from '@parcelway/blobs/blobs';
import { storageFailure } from '@parcelway/blobs/storage-failure';
import type { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { Platform } from '@parcelway/platform/service';
import type { ForecastReader, WarehouseSamples } from '../../store/ports.ts';
import type { SubmitForecast } from '../../submission/submit-forecast.ts';
import type { ValidateForecast } from '../../submission/validate-forecast.ts';
import type { ImportStops, ImportStore } from '../ports.ts';
import { createImportRunner } from '../run-imports.ts';
import type { ImportFileStore } from '../start-import.ts';
import { importHandlers } from '../stop-imports.ts';
import { createImportSweep } from '../sweep-imports.ts';
import { importRoutes } from './http-imports.ts';
import { WorkerSpreadsheetReader } from './reading/worker-spreadsheet-reader.ts';

/** For reading a whole file. An upload of 20 MB may take the object store a third of it. */
const READ_MS = 60_000;

/** Files of imports in the object storage: at most 20 MB each. A read that breaks off or takes too long is 50301, so that it is repeated. */
function createBlobImportFiles(blobs: Blobs): ImportFileStore {
  return {
    async put(fileKey, content, sha256) {
      await blobs.put(fileKey, content, 'application/octet-stream', sha256);
    },
    async read(fileKey) {
      const blob = await blobs.open(fileKey);
      if (blob === undefined) return undefined;
      try {
        // A small one may be a part of a pool that others use.
        return new Uint8Array(await buffer(addAbortSignal(AbortSignal.timeout(READ_MS), blob.stream)));
      } catch (error) {
        throw storageFailure(error);
      }
    },
    delete: (fileKey) => blobs.delete(fileKey),
  };
}

/** Which process does the works of imports. */
export interface ImportLeases {
  /** Reads files and submits forecasts. */
  readonly imports: WorkLease;
  /** Removes what is over. */
  readonly sweep: WorkLease;
}

export interface OpenImportsOptions {
  readonly imports: ImportStore;
  readonly importStops: ImportStops;
  readonly importLeases: ImportLeases;
  /** Forecasts of imports that are submitted at a time. */
  readonly importedAtOnce: number;
  readonly store: ForecastReader;
  readonly blobs: Blobs;
  readonly warehouses: WarehouseSamples;
  readonly submit: SubmitForecast;
  readonly validate: ValidateForecast;
  readonly idempotency: Idempotency;
  readonly isErased: (tenantId: string) => boolean;
}

export interface Imports {
  /** Adds the routes; before those of a po_number. */
  routes(router: Parameters<typeof importRoutes>[0]): void;
  /** What the events of the gateway do. */
  readonly handlers: ReturnType<typeof importHandlers>;
  start(): void;
  stop(): Promise<void>;
}

/** The leases of the works of imports. @param open that of a work */
export function importLeases(open: (name: string) => WorkLease): ImportLeases {
  return { imports: open('forecast-imports'), sweep: open('import-retention') };
}

/** Imports on a platform, not yet started. */
export function openImports(platform: Platform, logger: Logger, options: OpenImportsOptions): Imports {
  const { clock, fileSecrets } = platform;
  const {
    imports: store,
    importStops: stops,
    blobs,
    importLeases: leases,
    store: forecasts,
    warehouses,
    submit,
    validate,
    idempotency,
    isErased,
  } = options;
  const files = createBlobImportFiles(blobs);
  const reader = new WorkerSpreadsheetReader(logger);
  const work = { store, files, reader, submit, validate, forecasts, atOnce: options.importedAtOnce };
  const runner = createImportRunner({ ...work, lease: leases.imports, clock, logger, isErased });
  const sweep = createImportSweep({ store, stops, files, lease: leases.sweep, clock, logger });
  return {
    routes(router) {
      importRoutes(router, {
        start: { store, stops, files, logger, wake: () => runner.wake() },
        store,
        idempotency,
        cursors: createSealedCursors(fileSecrets, 'imports'),
        warehouses,
        clock,
        reader,
        validate,
      });
    },
    handlers: importHandlers({ store, stops, files, clock }),
    start() {
      runner.start();
      sweep.start();
    },
    async stop() {
      // The runner hears of the stop first: what it reads goes on later, and is no failure of the file.
      const stopped = Promise.all([runner.stop(), sweep.stop()]);
      await reader.close();
      await stopped;
    },
  };
}
