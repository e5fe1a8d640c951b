import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { NamedDocument } from '@parcelway/contracts/document-url';
import type { SsccOf } from '@parcelway/contracts/sscc';
import { AppError, toAppError } from '@parcelway/kernel/app-error';
import { type BackOff, backOffMs } from '@parcelway/kernel/back-off';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { FairQueue, type FairQueueOptions } from '@parcelway/kernel/fair-queue';
import type { Store } from '@parcelway/store/store';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { endDocuments, recordContent } from '../contents/content-records.ts';
import { contents } from '../contents/contents-collection.ts';
import { forecastFiles } from '../retention/forecast-files-collection.ts';
import { discardContent, type StoreContentOptions } from '../store-content.ts';
import { type DocumentContent, KEPT_VERSIONS, type RenderedDocuments, type StoredDocuments } from './domain/forecast-documents.ts';
import type { LabelPage } from './domain/label-format.ts';

type DocumentRecords = ReturnType<typeof createDocumentRecords>;

/** Keeps the documents of forecasts among the contents. Each method throws AppError 50301. */
export function createDocumentRecords(store: Store) {
  return {
    /** The documents of a version, once they were rendered. */
    async findDocuments(tenantId: string, forecastNo: string, version: number): Promise<StoredDocuments | undefined> {
      const { items } = await store.find(contents.by.documents, { eq: [tenantId, forecastNo, version], limit: 1 });
      const [found] = items;
      return found?.value.sections && { forecastNo, version, storageKey: found.value.storageKey, ...found.value.sections };
    },
    /**
     * Records documents whose content is stored, and ends the pending upload in the same write. Those of versions more than KEPT_VERSIONS back end.
     * @returns false when the version has documents already, or the forecast was deleted meanwhile; then the content is the caller's to remove
     */
    async recordDocuments(tenantId: string, { forecastNo, version, storageKey, ...sections }: StoredDocuments): Promise<boolean> {
      if (await recordContent(store, tenantId, storageKey, { forecastNo, version, sections })) return false;
      // After the write, as a deletion notes the forecast before it looks for documents: one sees the other.
      const forecast = await store.get(forecastFiles, [tenantId, forecastNo]);
      const isDeleted = forecast?.value.deletedAt !== undefined;
      if (isDeleted) await endDocuments(store, tenantId, forecastNo);
      else if (version > KEPT_VERSIONS) await endDocuments(store, tenantId, forecastNo, version - KEPT_VERSIONS + 1);
      return !isDeleted;
    },
  };
}

/** Renderings side by side; a tenant has at most two. Each has a thread. */
const QUEUE: FairQueueOptions = {
  atOnce: 3,
  part: 2,
  places: 1000,
  maxWaitMs: 10_000,
  refusal: 'Too many labels and packing slips are being generated',
  retryAfterSeconds: 2,
};

/** A version that cannot be rendered costs the renderer its thread each time: it is tried again after these pauses only. */
const DEFECT_PAUSES: BackOff = { firstMs: 1_000, maxMs: 3_600_000, factor: 8 };
/** Versions of which that is known; the oldest is forgotten for another. */
const MAX_DEFECTS = 1_000;

export interface DocumentsOptions extends StoreContentOptions {
  readonly records: DocumentRecords;
  /** See WorkerDocumentRenderer. */
  readonly renderer: { render(content: DocumentContent): Promise<RenderedDocuments> };
  /** Reads what documents show. */
  readonly contents: {
    /** The current content of a forecast. @throws AppError 40403 when the tenant has no such forecast, 50301 */
    readContent(
      tenantId: string,
      forecastNo: string,
    ): Promise<Omit<DocumentContent, 'forecastNo' | 'page' | 'sscc'> & { readonly forecastId: number }>;
  };
  readonly page: LabelPage;
  readonly ssccOf: SsccOf;
  readonly isErased: (tenantId: string) => boolean;
  readonly metrics: Metrics;
}

const notFound = (): AppError => new AppError('40403', 'The file does not exist');

/**
 * Documents of forecasts: rendered when somebody first opens one of them, and kept from then on, so that a version has the same bytes ever after.
 */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #queue = new FairQueue(QUEUE);
  /** Openings of one version share its rendering. */
  readonly #rendering = new Map<string, Promise<StoredDocuments>>();
  /** How often a version could not be rendered, and when it is tried again, by the clock of {@link performance}. */
  readonly #defects = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /**
   * The documents of a version of a forecast.
   * @throws AppError 40403 when the tenant has no such forecast, or it was corrected before anybody opened this version; 50301 when too many wait,
   * or the forecast service, a store or the renderer is out; 50000 when they cannot be rendered
   */
  async open(named: NamedDocument): Promise<StoredDocuments> {
    const { tenantId, forecastNo, version } = named;
    if (this.#options.isErased(tenantId)) throw notFound();
    const found = await this.#options.records.findDocuments(tenantId, forecastNo, version);
    if (found !== undefined) return found;
    const key = `${tenantId} ${forecastNo} ${version}`;
    if ((this.#defects.get(key)?.until ?? 0) > performance.now())
      throw new AppError('50000', 'The documents of this forecast cannot be rendered');
    const rendering = this.#rendering.get(key) ?? this.#renderInTurn(named, key).finally(() => this.#rendering.delete(key));
    this.#rendering.set(key, rendering);
    return rendering;
  }

  async #renderInTurn(named: NamedDocument, key: string): Promise<StoredDocuments> {
    const { metrics } = this.#options;
    let hasTurn = false;
    try {
      return await this.#queue.run(named.tenantId, async () => {
        hasTurn = true;
        const startedAt = performance.now();
        const documents = await this.#render(named);
        metrics.observe('parcelway_document_generation_seconds', {}, (performance.now() - startedAt) / 1000);
        metrics.count('parcelway_documents_total', { outcome: 'generated' });
        this.#defects.delete(key);
        return documents;
      });
    } catch (error) {
      const { code } = toAppError(error);
      if (code === '50000') this.#noteDefect(key);
      if (code !== '40403') metrics.count('parcelway_documents_total', { outcome: hasTurn ? 'failed' : 'refused' });
      throw error;
    }
  }

  #noteDefect(key: string): void {
    const count = (this.#defects.get(key)?.count ?? 0) + 1;
    this.#defects.delete(key);
    this.#defects.set(key, { count, until: performance.now() + backOffMs(DEFECT_PAUSES, count) });
    const [oldest] = this.#defects.keys();
    if (this.#defects.size > MAX_DEFECTS && oldest !== undefined) this.#defects.delete(oldest);
  }

  async #render({ tenantId, forecastNo, version }: NamedDocument): Promise<StoredDocuments> {
    const { contents, page, ssccOf } = this.#options;
    const { forecastId, ...current } = await contents.readContent(tenantId, forecastNo);
    if (current.version !== version)
      throw new AppError('40403', 'The forecast was corrected; read it again for the URLs of its current documents');
    return this.#store(tenantId, { ...current, forecastNo, page, sscc: ssccOf(forecastId) });
  }

  async #store(tenantId: string, content: DocumentContent): Promise<StoredDocuments> {
    const { records, pending, clock, isErased, renderer, blobs } = this.#options;
    const { forecastNo, version } = content;
    const storageKey = `document/${randomBytes(16).toString('hex')}`;
    await pending.begin(tenantId, storageKey, clock.now());
    let isStored = false;
    try {
      await failpointAsync('documents.before-put');
      const rendered = await renderer.render(content);
      await blobs.put(storageKey, Readable.from([rendered.bytes]), 'application/pdf');
      isStored = true;
      await failpointAsync('documents.after-put');
      const documents = { ...rendered.sections, forecastNo, version, storageKey, generatedAt: clock.now() };
      const isNew = !isErased(tenantId) && (await records.recordDocuments(tenantId, documents));
      await failpointAsync('documents.after-record');
      if (isNew) {
        this.#logOddities(tenantId, content, rendered);
        return documents;
      }
    } catch (error) {
      await discardContent(this.#options, tenantId, storageKey, isStored);
      throw error;
    }
    // Another process was faster, or the forecast was deleted meanwhile.
    await discardContent(this.#options, tenantId, storageKey, true);
    const recorded = await records.findDocuments(tenantId, forecastNo, version);
    if (recorded === undefined) throw notFound();
    return recorded;
  }

  #logOddities(
    tenantId: string,
    { forecastNo, version }: Pick<NamedDocument, 'forecastNo' | 'version'>,
    { itemsWithoutSymbol, replacedCharacters }: RenderedDocuments,
  ): void {
    if (itemsWithoutSymbol + replacedCharacters === 0) return;
    this.#options.logger.info(
      {
        tenant_id: tenantId,
        forecast_no: forecastNo,
        version,
        items_without_symbol: itemsWithoutSymbol,
        replaced_characters: replacedCharacters,
      },
      'A product label lacks barcodes or characters: barcodes support ASCII only, and the fonts have Latin, Greek, Cyrillic, Chinese and Japanese',
    );
  }
}
