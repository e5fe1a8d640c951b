import { documentToken, documentUrl } from '@parcelway/contracts/document-url';
import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import { inlineDisposition } from '../domain/file-name.ts';
import { documentPart } from '../domain/forecast-documents.ts';
import { MAX_COPY_PAGES } from '../domain/label-format.ts';
import type { FoundDocument, PublicDocuments } from '../ports.ts';
import type { ShownContent } from './send-content.ts';

/** A violation of the query of a label's URL. */
const copiesFault = (rule: string, sentence: string): AppError =>
  AppError.validation([{ field: 'copies', rule, message: `copies ${sentence}` }]);

/** What URLs of documents are made of. */
export interface DocumentUrls {
  readonly environment: Environment;
  readonly publicBaseUrl: string;
  readonly fileSecret: string;
  /** Of the tokens of documents. */
  readonly numberSecret: string;
}

/** The header that leads from a superseded document to the next version of it (RFC 8288, relation of RFC 5829). */
function successorLink(
  { environment, publicBaseUrl, fileSecret, numberSecret }: DocumentUrls,
  { tenantId, documents, kind }: FoundDocument,
): string | undefined {
  const { forecastNo, supersededBy } = documents;
  if (supersededBy === null) return undefined;
  const owner = { tenantId, environment };
  const token = documentToken(numberSecret, owner, kind, forecastNo, supersededBy);
  const url = documentUrl(fileSecret, publicBaseUrl, owner, kind, token);
  return `<${url}>; rel="successor-version"`;
}

/** A document is the same for ever, but by and by it gets a successor. */
const CACHE_SECONDS = 3600;

/**
 * The document that a URL opens.
 * @param copies of the query: `quantity` repeats each item's label by its quantity; other documents have no use for it
 * @returns undefined when no document has the token
 * @throws AppError 42201 when `copies` has another value, or the label would have too many pages
 */
export async function openDocument(
  urls: DocumentUrls,
  store: PublicDocuments,
  token: string,
  copies: unknown,
): Promise<ShownContent | undefined> {
  const found = await store.documentsByToken(token);
  if (!found) return undefined;
  const { documents, kind } = found;
  const isRepeated = kind === 'label' && copies !== undefined;
  if (isRepeated && copies !== 'quantity') throw copiesFault('enum', 'must be quantity');
  const part = documentPart(documents, kind, isRepeated);
  if (!part) throw copiesFault('maximum', `would give more than ${MAX_COPY_PAGES} pages; print the label without it`);
  const { start, end, name, packed } = part;
  const { storageKey } = documents;
  const disposition = inlineDisposition(name);
  const link = successorLink(urls, found);
  const size = end - start + (packed?.size ?? 0);
  return { storageKey, start, size, packed, mediaType: 'application/pdf', disposition, link, cacheSeconds: CACHE_SECONDS };
}
