import { equal, type FileOwner, sign } from './file-receipt.ts';

/*
 * URLs of the documents that the platform makes of a forecast. A URL names the document and is signed, so every service can write it and no record has to
 * exist before somebody opens it. No submission takes one for an uploaded label: the purpose is part of the signature.
 */

/** The product label, or the packing slip. */
export type DocumentKind = 'label' | 'slip';

/** A document of one version of a forecast. */
export interface NamedDocument {
  readonly kind: DocumentKind;
  readonly tenantId: string;
  readonly forecastNo: string;
  /** From 1. */
  readonly version: number;
}

/** Tenant ids and forecast numbers have no dot; a version has at most nine digits. */
const NAME = /^(label|slip)\.([A-Za-z0-9_-]{1,64})\.([A-Z0-9-]{1,64})\.v([1-9][0-9]{0,8})-([A-Za-z0-9_-]{22})\.pdf$/;

const signed = (secret: string, environment: FileOwner['environment'], name: string): string =>
  sign(secret, ['document', environment, name]);

/**
 * URL that opens a document without a key: the same for the same version of a forecast, unguessable without the secret.
 * @param secret NUMBER_SECRET of the installation, which never changes
 */
export function documentUrl(
  secret: string,
  baseUrl: string,
  environment: FileOwner['environment'],
  { kind, tenantId, forecastNo, version }: NamedDocument,
): string {
  const name = `${kind}.${tenantId}.${forecastNo}.v${version}`;
  return `${baseUrl}/files/${name}-${signed(secret, environment, name)}.pdf`;
}

/**
 * The document that the last part of a URL names.
 * @returns undefined when it is not the name of a document, or is not signed by this installation
 */
export function readDocumentName(secret: string, environment: FileOwner['environment'], text: string): NamedDocument | undefined {
  const [, kind, tenantId = '', forecastNo = '', version, signature = ''] = NAME.exec(text) ?? [];
  if (kind === undefined) return undefined;
  if (!equal(signature, signed(secret, environment, `${kind}.${tenantId}.${forecastNo}.v${version}`))) return undefined;
  return { kind: kind as DocumentKind, tenantId, forecastNo, version: Number(version) };
}
