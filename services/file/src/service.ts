import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { Logger } from '@parcelway/kernel/logger';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import { duration, loadConfig } from '@parcelway/platform/config';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { fileRoutes } from './adapters/http.ts';
import { SqliteFileStore } from './adapters/sqlite-file-store.ts';
import { WorkerPdfInspector } from './adapters/worker-pdf-inspector.ts';
import type { FileStore } from './ports.ts';
import { type SweepDeps, sweepAbandoned } from './sweep-abandoned.ts';
import { uploadPdf } from './upload-pdf.ts';
import { uploadPhoto } from './upload-photo.ts';

const SWEEP_EVERY_MS = 60_000;

/** Sweeps now and then every minute, one sweep at a time. */
function createSweeper(deps: SweepDeps, logger: Logger): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const sweep = (): void => {
    running ??= sweepAbandoned(deps)
      .then(
        (removed) =>
          removed > 0 &&
          logger.info({ removed }, 'Removed leftover data of refused, interrupted and repeated uploads. Stored files are not affected.'),
        (error: unknown) =>
          logger.warn(
            { err: error },
            'Could not remove leftover data of refused, interrupted and repeated uploads. The next run tries again.',
          ),
      )
      .then(() => {
        running = undefined;
      });
  };
  return {
    start() {
      sweep();
      timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

interface Stores {
  readonly store: FileStore;
  readonly keys: IdempotencyStore;
}

async function open(platform: Platform): Promise<OpenService> {
  const config = loadConfig<{ FILE_ABANDONED_AFTER: number }>(platform.env, { FILE_ABANDONED_AFTER: duration('15m') });
  const { clock, environment, publicBaseUrl, fileSecret } = platform;
  const logger = platform.logger.child({ service: 'file' });
  const shown = { file: createOpaqueNumbers(fileSecret, 'files'), photo: createOpaqueNumbers(fileSecret, 'photos') };
  const { store, keys } = await platform.openStores<Stores>('file', {
    sqlite: (db) => ({ store: new SqliteFileStore(db, shown), keys: new SqliteIdempotencyStore(db) }),
    mongo: async (db) => (await import('./adapters/mongo-stores.ts')).openMongoStores(db, shown),
  });
  const idempotency = new Idempotency({ store: keys, clock, logger });
  const blobs = await platform.openBlobs('files');
  const inspector = new WorkerPdfInspector(logger);
  const deps = { blobs, pending: store, records: store, inspector, clock, logger };
  const sweeper = createSweeper({ abandoned: store, blobs, clock, maxAgeMs: config.FILE_ABANDONED_AFTER }, logger);
  const app = createServiceApp({
    logger,
    verifier: platform.principalVerifier,
    routes: (router) =>
      fileRoutes(router, {
        uploadPdf: (tenantId, incoming, claim) => uploadPdf(deps, tenantId, incoming, claim),
        uploadPhoto: (warehouseCode, incoming, claim) => uploadPhoto(deps, warehouseCode, incoming, claim),
        idempotency,
        contents: store,
        blobs,
        logger,
        environment,
        publicBaseUrl,
        fileSecret,
      }),
  });
  return {
    app,
    async start() {
      sweeper.start();
      idempotency.start();
    },
    async stop() {
      await sweeper.stop();
      await idempotency.stop();
      await inspector.close();
    },
    async ready() {
      await store.check();
      await blobs.check();
    },
  };
}

/** Receives PDFs of tenants and photos of warehouses, keeps them, and opens them by their URLs. */
export const fileService = defineService({
  name: 'file',
  calls: [],
  uses: ['object-store', 'public-address'],
  collections: async () => (await import('./adapters/mongo-schema.ts')).fileCollections,
  open,
});
