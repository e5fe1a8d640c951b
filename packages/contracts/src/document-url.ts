import { type FileOwner, sign } from './file-receipt.ts';

/*
 * URLs of documents that the platform makes of a forecast. They open like the URLs of uploaded files, but another purpose is part of their
 * signature: no submission takes one for an uploaded label.
 */

/** The product label, or the packing slip. */
export type DocumentKind = 'label' | 'slip';

/** Token of a document: the same for the same version of a forecast, unguessable without the secret. */
export function documentToken(secret: string, owner: FileOwner, kind: DocumentKind, forecastNo: string, version: number): string {
  return sign(secret, ['document token', kind, owner.tenantId, owner.environment, forecastNo, String(version)]);
}

/** URL that opens a document without a key. `token`: of {@link documentToken}, kept with the record. */
export function documentUrl(secret: string, baseUrl: string, owner: FileOwner, kind: DocumentKind, token: string): string {
  return `${baseUrl}/files/${token}-${sign(secret, ['document', kind, owner.tenantId, owner.environment, baseUrl, token])}.pdf`;
}
