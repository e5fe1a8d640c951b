import { summariseBarcodes } from '@parcelway/contracts/barcode-readings';
import type { Environment } from '@parcelway/contracts/environment';
import type { UploadedFile, UploadedImage, UploadedPhoto } from '@parcelway/contracts/file-api';
import { encodeImageId, encodePhotoId, fileUrl } from '@parcelway/contracts/file-receipt';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { StoredFile, StoredPhoto } from '../../domain/stored-file.ts';
import { imageKinds } from '../domain/accepted-file-type.ts';
import { findingsForUrl, type PdfFindings, pdfWarnings, sizeInfo } from '../domain/inspected-pdf.ts';
import { type UsedFile, usesData } from '../own-files.ts';
import type { UploadedPdf } from '../upload-pdf.ts';

export interface Issuer {
  readonly environment: Environment;
  readonly publicBaseUrl: string;
  readonly fileSecret: string;
}

export function extensionOf(photo: StoredPhoto): string {
  const kind = imageKinds.find(({ mediaType }) => mediaType === photo.mediaType);
  if (!kind) throw new Error(`The photo ${photo.id} has an unknown type`);
  return kind.extension;
}

/**
 * The URL of a PDF, with its findings. Each call builds the URL anew, because it follows the base URL of the installation. Two calls with the same
 * findings return the same URL, unless it expires.
 * @param expiresAt epoch milliseconds; undefined for a URL that never expires
 */
export function urlOfFile(issuer: Issuer, tenantId: string, file: StoredFile, expiresAt?: number): string {
  const { fileSecret, publicBaseUrl, environment } = issuer;
  const { findings } = file;
  const barcodes = findings && summariseBarcodes(fileSecret, findings.barcodes, findings.barcodeSearch === 'complete');
  const found = findings && barcodes && findingsForUrl(findings, barcodes);
  return fileUrl(fileSecret, publicBaseUrl, { tenantId, environment }, file.token, { findings: found, expiresAt });
}

/** When a URL ends that is valid for so many seconds: a whole second, as the URL has it. @param now epoch milliseconds @returns the same */
export const expiryAfter = (now: number, seconds: number): number => Math.ceil(now / 1000 + seconds) * 1000;

/** An instant that may be none, as responses show it. */
export const instantOrNull = (instant: number | undefined): string | null => (instant === undefined ? null : isoInstant(instant));

const recordData = (issuer: Issuer, tenantId: string, file: StoredFile, expiresAt?: number) => ({
  url: urlOfFile(issuer, tenantId, file, expiresAt),
  attachment_id: file.id,
  origin_name: file.name,
  size_byte: file.size,
  size_info: sizeInfo(file.size),
});

const findingsData = (findings: PdfFindings | undefined) => ({
  warnings: pdfWarnings(findings),
  barcodes: (findings?.barcodes ?? []).map(({ page, format, text }) => ({ page, format, text: text.replace(/\p{Cc}/gu, ' ') })),
});

/** `data` of a PDF upload. @param expiresAt as of {@link urlOfFile} */
export function uploadedFileData(
  issuer: Issuer,
  tenantId: string,
  { file, deduplicated, findings }: UploadedPdf,
  expiresAt: number | undefined,
): UploadedFile {
  // The record has no findings if the first upload was not inspected.
  const record = recordData(issuer, tenantId, { ...file, findings }, expiresAt);
  return { ...record, url_expire_time: instantOrNull(expiresAt), deduplicated, ...findingsData(findings) };
}

export function ownFileData(issuer: Issuer, tenantId: string, used: UsedFile): OwnFile {
  const { file } = used;
  return {
    ...recordData(issuer, tenantId, file),
    create_time: isoInstant(file.uploadedAt),
    ...findingsData(file.findings),
    ...usesData(used),
  };
}

const photoReceipt = ({ publicBaseUrl, environment }: Issuer, photo: StoredPhoto) => ({
  id: photo.id,
  image_path: photo.storageKey,
  image_url: `${publicBaseUrl}/photos/${photo.token}.${extensionOf(photo)}`,
  file_size: photo.size,
  upload_time: isoInstant(photo.uploadedAt),
  environment,
});

/** `data` of a photo upload of a warehouse. */
export function uploadedPhotoData(issuer: Issuer, warehouseCode: string, photo: StoredPhoto): UploadedPhoto {
  const { environment, ...receipt } = photoReceipt(issuer, photo);
  const photoId = encodePhotoId(issuer.fileSecret, { ...receipt, warehouse_code: warehouseCode, environment });
  return { photo_id: photoId, image_url: receipt.image_url, media_type: photo.mediaType, size_byte: photo.size };
}

/** `data` of an upload of a tenant's own image. */
export function uploadedImageData(issuer: Issuer, tenantId: string, image: StoredPhoto): UploadedImage {
  const receipt = photoReceipt(issuer, image);
  const imageId = encodeImageId(issuer.fileSecret, { ...receipt, tenant_id: tenantId });
  return { image_id: imageId, image_url: receipt.image_url, media_type: image.mediaType, size_byte: image.size };
}
