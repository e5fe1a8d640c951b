import type { Blobs } from '@parcelway/blobs/blobs';
import type { EventHandlers, Subscription } from '@parcelway/bus/bus';
import { createSsccs } from '@parcelway/contracts/sscc';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import type { Logger } from '@parcelway/kernel/logger';
import { handlersWithoutErased, openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { type OpenUsage, openUsage } from '@parcelway/platform/usage/open-usage';
import { createEventHandlers, GROUP, retentionHandlers, useHandlers } from './adapters/events.ts';
import { type FileConfig, readFileConfig } from './adapters/file-config.ts';
import { type FileRoutesOptions, fileRoutes } from './adapters/http.ts';
import { type FileStores, openFileStores } from './adapters/open-file-stores.ts';
import { fileCollections } from './collections.ts';
import { createForecastContents } from './documents/adapters/forecast-contents.ts';
import { WorkerDocumentRenderer } from './documents/adapters/worker-document-renderer.ts';
import { Documents } from './documents/documents.ts';
import { tenantContentRoutes } from './erasure/adapters/http-tenant-contents.ts';
import type { NamedFiles } from './retention/decide-files.ts';
import { createStorageMeasurement } from './storage/measure-storage.ts';
import { createSweeper } from './sweep.ts';
import { ownFileRoutes } from './uploads/adapters/http-own-files.ts';
import { WorkerPdfInspector } from './uploads/adapters/worker-pdf-inspector.ts';
import {
  notingUploads,
  type UploadPdfOptions,
  type UploadPhotoOptions,
  uploadImage,
  uploadPdf,
  uploadPhoto,
} from './uploads/upload-pdf.ts';

/** The documents of forecasts, with what renders them. */
function openDocuments(
  platform: Platform,
  { LABEL_PAGE: page, GS1_COMPANY_PREFIX }: FileConfig,
  logger: Logger,
  { store, documents: records }: FileStores,
  blobs: Blobs,
  isErased: (tenantId: string) => boolean,
): { readonly documents: Documents; close(): Promise<void> } {
  const { clock, environment, numberSecret, telemetry } = platform;
  const renderer = new WorkerDocumentRenderer(logger);
  const documents = new Documents({
    records,
    renderer,
    contents: createForecastContents(platform.otherServices.openClient(), environment),
    page,
    ssccOf: createSsccs(numberSecret, GS1_COMPANY_PREFIX),
    isErased,
    metrics: telemetry.of('file').metrics,
    ...{ blobs, pending: store, clock, logger },
  });
  return { documents, close: () => renderer.close() };
}

/** The uploads of tenants, counted unless the tenant has the content already. */
function countedUploads(
  pdfs: UploadPdfOptions,
  photos: UploadPhotoOptions,
  usage: Pick<OpenUsage, 'add'>,
): Pick<FileRoutesOptions, 'uploadPdf' | 'uploadImage'> {
  const count = (tenantId: string, bytes: number): void => {
    usage.add(tenantId, 'files');
    usage.add(tenantId, 'stored_bytes', bytes);
  };
  return {
    async uploadPdf(tenantId, incoming, claim) {
      const uploaded = await uploadPdf(pdfs, tenantId, incoming, claim);
      if (!uploaded.deduplicated) count(tenantId, uploaded.file.size);
      return uploaded;
    },
    async uploadImage(tenantId, incoming, claim) {
      const uploaded = await uploadImage(photos, tenantId, incoming, claim);
      count(tenantId, uploaded.size);
      return uploaded;
    },
  };
}

/** What the service follows: which files forecasts name, which photos they have, and their end. */
function handlersOf(
  { clock, fileSecrets }: Platform,
  retention: FileStores['retention'],
  isErased: (tenantId: string) => boolean,
): EventHandlers {
  const noteUses = (named: NamedFiles) => retention.noteUses(named, clock.now());
  const ofContents = createEventHandlers({ fileSecrets, noteUses });
  const own = handlersWithoutErased({ ...ofContents, ...useHandlers(retention, clock) }, isErased);
  return { ...own, ...retentionHandlers(retention, clock, isErased) };
}

async function open(platform: Platform): Promise<OpenService> {
  const config = readFileConfig(platform.env);
  const { clock, environment, publicBaseUrl, fileSecret, fileSecrets, numberSecret } = platform;
  const logger = platform.logger.child({ service: 'file' });
  const stores = await openFileStores(platform);
  const { store, retention, ownFiles } = stores;
  const idempotency = new Idempotency({ store: stores.keys, clock, logger });
  const blobs = await platform.openBlobs('files');
  const data = stores.tenantData(blobs);
  const tenantData = openTenantData(platform, 'file', data);
  const { isErased } = tenantData;
  const usage = openUsage(platform, 'file', { store: stores.usage, isErased });
  const { documents, close: closeDocuments } = openDocuments(platform, config, logger, stores, blobs, isErased);
  const inspector = new WorkerPdfInspector(logger);
  const options = { blobs, pending: store, inspector, isErased, clock, logger };
  const pdfs = { ...options, records: notingUploads(store, retention) };
  const photos = { ...options, records: store };
  const sweeper = createSweeper({
    ...{ lease: stores.lease('file-sweep'), maxAgeMs: config.FILE_ABANDONED_AFTER },
    ...{ abandoned: store, unused: retention, blobs, clock, logger },
  });
  const measurement = createStorageMeasurement(
    { store: stores.collections, usage: stores.usage, everyMs: config.STORAGE_MEASURED_EVERY, isErased, clock, logger },
    stores.lease('storage-measurement'),
  );
  const issuer = { environment, publicBaseUrl, fileSecret };
  const contents = { contents: store, documents, blobs, logger, clock, fileSecrets, numberSecret, ...issuer };
  const app = createServiceApp({
    logger,
    verifier: platform.principalVerifier,
    settled: platform.settled,
    routes(router) {
      tenantData.routes(router);
      queueRoutes(router, platform.telemetry, 'file');
      usage.routes(router);
      tenantContentRoutes(router, { ...contents, tenantData: data });
      fileRoutes(router, {
        ...countedUploads(pdfs, photos, usage),
        uploadPhoto: (warehouseCode, incoming, claim) => uploadPhoto(photos, warehouseCode, incoming, claim),
        idempotency,
        ...contents,
      });
      ownFileRoutes(router, { ...issuer, ownFiles, cursors: createSealedCursors(fileSecrets, 'files'), clock });
    },
  });
  let subscription: Subscription | undefined;
  return {
    app,
    async start() {
      await tenantData.start();
      const handlers = handlersOf(platform, retention, isErased);
      subscription = await platform.bus.subscribe(GROUP, handlers, { isUnhurried: true });
      sweeper.start();
      measurement.start();
      usage.start();
    },
    async stop() {
      await subscription?.stop();
      await Promise.all([closeDocuments(), sweeper.stop(), measurement.stop(), inspector.close(), usage.stop()]);
      await tenantData.stop();
    },
    async ready() {
      await stores.check();
      await blobs.check();
    },
  };
}

/** Receives PDFs of tenants and photos of warehouses, renders the documents of forecasts, keeps them all, and opens them by their URLs. */
export const fileService = defineService({
  name: 'file',
  calls: ['forecast'],
  uses: ['object-store', 'public-address'],
  collections: fileCollections,
  settings: readFileConfig,
  open,
});
