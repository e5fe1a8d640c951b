import type { NamedDocument } from '@parcelway/contracts/document-url';
import { AppError } from '@parcelway/kernel/app-error';
import type { ShownContent } from '../../adapters/send-content.ts';
import { inlineDisposition } from '../../domain/file-name.ts';
import type { Documents } from '../documents.ts';
import { documentPart } from '../domain/forecast-documents.ts';
import { MAX_COPY_PAGES } from '../domain/label-format.ts';

/** A violation of the query of a label's URL. */
const copiesFault = (rule: string, sentence: string): AppError =>
  AppError.validation([{ field: 'copies', rule, message: `copies ${sentence}` }]);

/**
 * The document that a URL opens.
 * @param copies of the query: `quantity` repeats each item's label by its quantity; a packing slip has no use for it
 * @throws AppError 42201 when `copies` has another value, or the label would have too many pages; as {@link Documents.open}
 */
export async function openDocument(documents: Pick<Documents, 'open'>, named: NamedDocument, copies: unknown): Promise<ShownContent> {
  const { kind } = named;
  const isRepeated = kind === 'label' && copies !== undefined;
  if (isRepeated && copies !== 'quantity') throw copiesFault('enum', 'must be quantity');
  const stored = await documents.open(named);
  const part = documentPart(stored, kind, isRepeated);
  if (!part) throw copiesFault('maximum', `would give more than ${MAX_COPY_PAGES} pages; print the label without it`);
  const { start, end, name } = part;
  return { storageKey: stored.storageKey, start, size: end - start, mediaType: 'application/pdf', disposition: inlineDisposition(name) };
}
