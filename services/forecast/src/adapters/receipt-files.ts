import { namesAnyNumber } from '@parcelway/contracts/barcode-readings';
import type { Environment } from '@parcelway/contracts/environment';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import type { InspectedFiles } from '../ports.ts';

/** Reads what file URLs say of their files. @param secret that the file service signs them with */
export function createReceiptFiles(secret: string, environment: Environment): InspectedFiles {
  return (tenantId, url) => {
    const findings = readFileUrl(secret, { tenantId, environment }, url)?.findings;
    return findings && { findings, namesAny: (numbers) => namesAnyNumber(secret, findings.barcodes, numbers) };
  };
}
