import type { Blobs } from '@parcelway/blobs/blobs';
import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import { createServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { LoopUse } from '@parcelway/kernel/loop-use';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { duration, type Environ, loadConfig, loadSections } from '@parcelway/platform/config';
import { handlersWithoutErased, openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { type OpenUsage, openUsage } from '@parcelway/platform/usage/open-usage';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { WorkerDocumentRenderer } from './adapters/documents/worker-document-renderer.ts';
import { readDocumentsConfig } from './adapters/documents-config.ts';
import { createEventHandlers, GROUP } from './adapters/events.ts';
import { createForecastServiceContents } from './adapters/forecast-service-contents.ts';
import { type FileRoutesOptions, fileRoutes } from './adapters/http.ts';
import { SqliteDocumentOrders } from './adapters/sqlite-document-orders.ts';
import { SqliteDocumentStore } from './adapters/sqlite-document-store.ts';
import { SqliteFileStore } from './adapters/sqlite-file-store.ts';
import { WorkerPdfInspector } from './adapters/worker-pdf-inspector.ts';
import { createSsccs } from './domain/sscc.ts';
import { tenantContentRoutes } from './erasure/adapters/http-tenant-contents.ts';
import { createSqliteTenantData } from './erasure/adapters/sqlite-tenant-data.ts';
import type { FileTenantData } from './erasure/ports.ts';
import { needlessForErased, refusingErased, refusingErasedImages } from './erasure/refuse-erased.ts';
import { generateDocuments } from './generate-documents.ts';
import { OrderBacklog } from './order-backlog.ts';
import { OrderRunner } from './order-runner.ts';
import { ownFileRoutes } from './own-files/adapters/http-own-files.ts';
import { SqliteOwnFiles } from './own-files/adapters/sqlite-own-files.ts';
import type { OwnFiles } from './own-files/ports.ts';
import type { DocumentOrders, DocumentRecords, DocumentStore, FileStore } from './ports.ts';
import { retentionHandlers, useHandlers } from './retention/adapters/retention-events.ts';
import { SqliteFileRetention } from './retention/adapters/sqlite-file-retention.ts';
import type { FileRetention } from './retention/ports.ts';
import { notingUploads } from './retention/reused-files.ts';
import { SqliteStorage } from './storage/adapters/sqlite-storage.ts';
import { readStorageConfig } from './storage/adapters/storage-config.ts';
import { createStorageMeasurement } from './storage/measure-storage.ts';
import type { StoredContents } from './storage/ports.ts';
import { createSweeper } from './sweep-timer.ts';
import { type UploadPdfOptions, uploadPdf } from './upload-pdf.ts';
import { type UploadPhotoOptions, uploadImage, uploadPhoto } from './upload-photo.ts';

/** Name of the work that removes what is left over. */
const SWEEP = 'file-sweep';
/** Name of the work that measures what tenants have stored. */
const MEASURE = 'storage-measurement';

/** Whether the event loop has time for further documents, is an average over about this time; milliseconds. */
const LOOP_USE_MS = 300;

/** After which time what is removed, in milliseconds. */
interface SweepConfig {
  readonly FILE_ABANDONED_AFTER: number;
  readonly SUPERSEDED_LABELS_KEPT: number;
}

const readSweepConfig = (env: Environ): SweepConfig =>
  loadConfig(env, { FILE_ABANDONED_AFTER: duration('15m'), SUPERSEDED_LABELS_KEPT: duration('30d') });

interface Stores {
  readonly store: FileStore;
  readonly documents: DocumentStore;
  readonly orders: DocumentOrders;
  readonly retention: FileRetention;
  readonly ownFiles: OwnFiles;
  readonly outbox: OutboxSource;
  readonly keys: IdempotencyStore;
  readonly usage: UsageStore;
  /** Of the sweep of what is left over. */
  readonly sweepLease: WorkLease;
  readonly stored: StoredContents;
  readonly storageLease: WorkLease;
  /** @param blobs where the contents are */
  tenantData(blobs: Blobs): FileTenantData;
}

/** What documents are generated from and kept in. */
interface GeneratorParts extends Pick<Stores, 'store' | 'orders' | 'retention' | 'outbox'> {
  readonly documents: DocumentRecords;
  readonly blobs: Blobs;
  readonly isErased: (tenantId: string) => boolean;
}

/** Generates documents as events ask for it. */
function openGenerator(
  platform: Platform,
  logger: Logger,
  { store, documents, orders, retention, blobs, outbox, isErased }: GeneratorParts,
): { start(): Promise<void>; stop(): Promise<void> } {
  const config = readDocumentsConfig(platform.env);
  const { clock, environment, publicBaseUrl, fileSecret, fileSecrets, numberSecret, telemetry } = platform;
  const { metrics } = telemetry.of('file');
  const renderer = new WorkerDocumentRenderer(logger);
  const client = createServiceClient({ originOf: (service) => platform.originOf(service), signer: platform.principalSigner });
  const relay = platform.startRelay('file', outbox);
  const contents = createForecastServiceContents(client, environment);
  const ssccOf = config.GS1_COMPANY_PREFIX === undefined ? undefined : createSsccs(numberSecret, config.GS1_COMPANY_PREFIX);
  const settings = { page: config.LABEL_PAGE, ssccOf, environment, publicBaseUrl, fileSecret, numberSecret };
  const parts = { blobs, pending: store, clock, logger, documents, renderer, contents, notify: () => relay.notify() };
  const loop = new LoopUse(LOOP_USE_MS);
  const runner = new OrderRunner({
    orders,
    generate: (order) => generateDocuments({ ...parts, ...settings }, order),
    clock,
    logger,
    metrics,
    loopUse: (now) => loop.at(now),
  });
  const backlog = new OrderBacklog(orders, clock);
  const handlers = createEventHandlers(fileSecrets, async (order, named) => {
    await retention.noteUses(named, clock.now());
    if (backlog.isFull()) throw AppError.unavailable('Too many documents wait to be generated');
    await runner.take(order);
    await failpointAsync('documents.after-order');
  });
  let subscription: Subscription | undefined;
  let endWatch = (): void => undefined;
  return {
    async start() {
      endWatch = telemetry.readWhenExposed('file', 'documents that wait', async () => {
        metrics.set('parcelway_documents_waiting', {}, await backlog.count());
      });
      runner.start();
      const ending = retentionHandlers(retention, clock, isErased);
      const own = { ...handlers, ...useHandlers(retention, clock) };
      subscription = await platform.bus.subscribe(GROUP, { ...handlersWithoutErased(own, isErased), ...ending });
    },
    async stop() {
      endWatch();
      runner.close();
      await subscription?.stop();
      // What is being rendered is returned to the orders, for another process or the next start.
      await renderer.close();
      await runner.settled();
      await client.close();
    },
  };
}

function openStores(platform: Platform): Promise<Stores> {
  const { clock, numberSecret } = platform;
  const file = createOpaqueNumbers(numberSecret, 'files');
  const shown = { file, photo: createOpaqueNumbers(numberSecret, 'photos'), fileNumber: (number: number) => file.hidden(number) };
  return platform.openStores<Stores>('file', {
    sqlite(db) {
      const store = new SqliteFileStore(db, shown);
      const outbox = new SqliteOutbox(db, clock);
      return {
        store,
        documents: new SqliteDocumentStore(db, outbox),
        orders: new SqliteDocumentOrders(db),
        retention: new SqliteFileRetention(db),
        ownFiles: new SqliteOwnFiles(db, shown),
        outbox,
        keys: new SqliteIdempotencyStore(db),
        usage: new SqliteUsage(db),
        sweepLease: new SqliteWorkLease(db, SWEEP),
        stored: new SqliteStorage(db),
        storageLease: new SqliteWorkLease(db, MEASURE),
        tenantData: (blobs) => createSqliteTenantData(db, blobs),
      };
    },
    async mongo(db) {
      const { openMongoStores } = await import('./adapters/mongo-stores.ts');
      const { createMongoTenantData } = await import('./erasure/adapters/mongo-tenant-data.ts');
      const { MongoWorkLease } = await import('@parcelway/mongo/mongo-work-lease');
      const leases = { sweepLease: new MongoWorkLease(db, SWEEP), storageLease: new MongoWorkLease(db, MEASURE) };
      return { ...openMongoStores(db, shown, clock), ...leases, tenantData: (blobs) => createMongoTenantData(db, blobs) };
    },
  });
}

/** The sweep of what is left over, over all owners. */
function openSweeper(
  platform: Platform,
  logger: Logger,
  { store, documents, retention, sweepLease: lease }: Stores,
  blobs: Blobs,
): RegularWork {
  const config = readSweepConfig(platform.env);
  const ages = { maxAgeMs: config.FILE_ABANDONED_AFTER, keepSupersededMs: config.SUPERSEDED_LABELS_KEPT };
  const { clock } = platform;
  return createSweeper({ lease, abandoned: store, superseded: documents, unused: retention, blobs, clock, logger, ...ages });
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

async function open(platform: Platform): Promise<OpenService> {
  const { clock, environment, publicBaseUrl, fileSecret, fileSecrets, numberSecret } = platform;
  const logger = platform.logger.child({ service: 'file' });
  const stores = await openStores(platform);
  const { store, documents, orders, retention, outbox, keys, ownFiles } = stores;
  const idempotency = new Idempotency({ store: keys, clock, logger });
  const blobs = await platform.openBlobs('files');
  const data = stores.tenantData(blobs);
  const tenantData = openTenantData(platform, 'file', data);
  const { isErased } = tenantData;
  const usage = openUsage(platform, 'file', { store: stores.usage, isErased });
  const records = needlessForErased(documents, isErased);
  const generator = openGenerator(platform, logger, { store, documents: records, orders, retention, blobs, outbox, isErased });
  const inspector = new WorkerPdfInspector(logger);
  const options = { blobs, pending: store, inspector, clock, logger };
  const pdfs = { ...options, records: refusingErased(notingUploads(store, retention), isErased) };
  const photos = { ...options, records: refusingErasedImages(store, isErased) };
  const sweeper = openSweeper(platform, logger, stores, blobs);
  const { STORAGE_MEASURED_EVERY: everyMs } = readStorageConfig(platform.env);
  const measurement = createStorageMeasurement({ ...stores, lease: stores.storageLease, isErased, clock, logger, everyMs });
  const issuer = { environment, publicBaseUrl, fileSecret };
  const contents = { contents: store, documents, blobs, logger, clock, fileSecrets, numberSecret, ...issuer };
  const cursors = createSealedCursors(fileSecrets, 'files', { hasUnsealed: false });
  const app = createServiceApp({
    logger,
    verifier: platform.principalVerifier,
    routes(router) {
      tenantData.routes(router);
      queueRoutes(router, platform.telemetry, 'file');
      usage.routes(router);
      tenantContentRoutes(router, { ...contents, photos: data.photos });
      fileRoutes(router, {
        ...countedUploads(pdfs, photos, usage),
        uploadPhoto: (warehouseCode, incoming, claim) => uploadPhoto(photos, warehouseCode, incoming, claim),
        idempotency,
        ...contents,
      });
      ownFileRoutes(router, { ...issuer, ownFiles, cursors, clock });
    },
  });
  return {
    app,
    async start() {
      await tenantData.start();
      await retention.begin(clock.now());
      await generator.start();
      sweeper.start();
      measurement.start();
      idempotency.start();
      usage.start();
    },
    async stop() {
      await generator.stop();
      await sweeper.stop();
      await measurement.stop();
      await idempotency.stop();
      await inspector.close();
      await usage.stop();
      await tenantData.stop();
    },
    async ready() {
      await store.check();
      await blobs.check();
    },
  };
}

/** Receives PDFs of tenants and photos of warehouses, makes the documents of forecasts, keeps them all, and opens them by their URLs. */
export const fileService = defineService({
  name: 'file',
  calls: ['forecast'],
  uses: ['object-store', 'public-address'],
  collections: async () => (await import('./adapters/mongo-schema.ts')).fileCollections,
  settings: (env): unknown => loadSections(env, { documents: readDocumentsConfig, storage: readStorageConfig, sweep: readSweepConfig }),
  open,
});
