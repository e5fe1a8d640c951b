import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { documentToken, documentUrl } from '@parcelway/contracts/document-url';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { idFromSeed } from '@parcelway/kernel/ids';
import type { DocumentContent, DocumentItem, DocumentOrder, NewDocuments, RenderedDocuments } from './domain/forecast-documents.ts';
import type { LabelPage } from './domain/label-format.ts';
import type { SsccOf } from './domain/sscc.ts';
import type { DocumentRecords, DocumentRenderer, ForecastContents } from './ports.ts';
import { discardContent, type StoreContentOptions } from './store-content.ts';

/** What generating documents needs. */
export interface GenerateDocumentsOptions extends StoreContentOptions {
  readonly documents: DocumentRecords;
  readonly renderer: DocumentRenderer;
  readonly contents: ForecastContents;
  readonly environment: Environment;
  readonly publicBaseUrl: string;
  readonly fileSecret: string;
  /** Of the tokens of documents: they are the same for ever. */
  readonly numberSecret: string;
  readonly page: LabelPage;
  /** Undefined where the operator has no GS1 company prefix. */
  readonly ssccOf: SsccOf | undefined;
  /** Runs after a message was written to the outbox. */
  readonly notify: () => void;
}

/** What came of an order. */
export type DocumentOutcome = 'generated' | 'repeated';

/**
 * Generates the documents of a version of a forecast, once, unless they would not count (`domain/forecast-documents.ts`): stores them, then records them
 * together with the message that announces them. Whatever ends in between is done again, with the same bytes and the same URLs; a content without a
 * record is removed by the sweep.
 * @throws AppError 50301 when a store, the forecast service or the renderer is out; 50000 when the documents cannot be rendered
 */
export async function generateDocuments(options: GenerateDocumentsOptions, order: DocumentOrder): Promise<DocumentOutcome> {
  const { tenantId, forecastNo, version } = order;
  if (await options.documents.hasDocuments(tenantId, forecastNo, version)) return 'repeated';
  const items = order.items ?? (await options.contents.readItems(tenantId, forecastNo, version, order.traceparent));
  return storeDocuments(options, order, contentOf(options, order, items));
}

function contentOf({ page, ssccOf }: GenerateDocumentsOptions, order: DocumentOrder, items: readonly DocumentItem[]): DocumentContent {
  const { forecastNo, poNumber, warehouseCode, version, dueDate, cartonCount, at, forecastId } = order;
  return { forecastNo, poNumber, warehouseCode, version, dueDate, cartonCount, items, at, page, sscc: ssccOf?.(forecastId) };
}

async function storeDocuments(options: GenerateDocumentsOptions, order: DocumentOrder, content: DocumentContent): Promise<DocumentOutcome> {
  const { tenantId, forecastNo, version } = order;
  const storageKey = `document/${randomBytes(16).toString('hex')}`;
  await options.pending.begin(tenantId, storageKey, options.clock.now());
  let isStored = false;
  try {
    await failpointAsync('documents.before-put');
    const rendered = await putDocuments(options, storageKey, content);
    isStored = true;
    await failpointAsync('documents.after-put');
    const owner = { tenantId, environment: options.environment };
    const token = (kind: 'label' | 'slip'): string => documentToken(options.numberSecret, owner, kind, forecastNo, version);
    const documents: NewDocuments = {
      ...rendered.sections,
      forecastNo,
      version,
      storageKey,
      labelToken: token('label'),
      slipToken: token('slip'),
      generatedAt: options.clock.now(),
    };
    const isNew = await options.documents.recordDocuments(tenantId, documents, messageOf(options, order, documents, content.sscc));
    await failpointAsync('documents.after-record');
    if (!isNew) await discardContent(options, tenantId, storageKey, true);
    else options.notify();
    logOddities(options, order, rendered);
    return isNew ? 'generated' : 'repeated';
  } catch (error) {
    await discardContent(options, tenantId, storageKey, isStored);
    throw error;
  }
}

async function putDocuments(options: GenerateDocumentsOptions, storageKey: string, content: DocumentContent): Promise<RenderedDocuments> {
  let rendered: RenderedDocuments | undefined;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    rendered = yield* options.renderer.render(content);
  };
  await options.blobs.put(storageKey, Readable.from(bytes(), { objectMode: false }), 'application/pdf');
  if (rendered === undefined) throw new Error('The object store stored the documents incompletely');
  return rendered;
}

/** The message about the documents; the same id on every try. */
function messageOf(
  options: GenerateDocumentsOptions,
  order: DocumentOrder,
  { labelToken, slipToken, generatedAt }: NewDocuments,
  sscc: string | undefined,
): EncodedMessage {
  const { environment, publicBaseUrl, fileSecret } = options;
  const { tenantId, forecastNo, poNumber, version, traceparent } = order;
  const url = (kind: 'label' | 'slip', token: string): string =>
    documentUrl(fileSecret, publicBaseUrl, { tenantId, environment }, kind, token);
  return encodeEvent(
    createDomainEvent({
      type: 'documents.generated',
      publisher: 'file',
      tenantId,
      environment,
      subject: forecastNo,
      time: generatedAt,
      traceparent,
      id: idFromSeed('evt', `documents ${tenantId} ${forecastNo} ${version}`),
      data: {
        forecast_no: forecastNo,
        po_number: poNumber,
        version,
        marketplace_label: url('label', labelToken),
        packing_slip: url('slip', slipToken),
        generated_at: isoInstant(generatedAt),
        ...(sscc !== undefined && { sscc }),
      },
    }),
  );
}

function logOddities(
  { logger }: GenerateDocumentsOptions,
  order: DocumentOrder,
  { itemsWithoutSymbol, replacedCharacters }: RenderedDocuments,
): void {
  if (itemsWithoutSymbol + replacedCharacters === 0) return;
  const { tenantId, forecastNo, version } = order;
  logger.info(
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
