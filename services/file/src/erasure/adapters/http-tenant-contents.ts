import type { Blobs } from '@parcelway/blobs/blobs';
import { TenantPhotos } from '@parcelway/contracts/tenant-data-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Router } from 'express';
import { type ShownContent, sendContent } from '../../adapters/send-content.ts';
import type { PublicContents } from '../../contents/content-records.ts';
import { inlineDisposition } from '../../domain/file-name.ts';
import type { createTenantData } from '../tenant-data.ts';

export interface TenantContentsOptions {
  readonly contents: PublicContents;
  readonly tenantData: Pick<ReturnType<typeof createTenantData>, 'erasePhotos'>;
  readonly blobs: Blobs;
  readonly logger: Logger;
}

const tenantPhotos = compileValidator(TenantPhotos);

/** The content of a file or a photo, whichever has the token. */
async function findContent({ contents }: TenantContentsOptions, token: string): Promise<ShownContent | undefined> {
  const file = await contents.fileByToken(token, 'all');
  if (file) {
    const { storageKey, size, name } = file;
    return { storageKey, size, mediaType: 'application/pdf', disposition: inlineDisposition(name) };
  }
  const photo = await contents.photoByToken(token);
  return photo && { storageKey: photo.storageKey, size: photo.size, mediaType: photo.mediaType, disposition: inlineDisposition('photo') };
}

/**
 * The internal routes by which the gateway copies contents of a tenant and deletes photos of its parcels.
 *
 *   GET  /internal/v1/contents/{token}                                 → the bytes
 *   POST /internal/v1/photos/erase         { tenant_id, tokens }       → how many were deleted
 */
export function tenantContentRoutes(router: Router, options: TenantContentsOptions): void {
  router.get('/internal/v1/contents/:token', async (req, res) => {
    assertSystem(req);
    const content = await findContent(options, String(req.params['token']));
    if (content === undefined) throw new AppError('40403', 'The content does not exist');
    await sendContent(options, req, res, content);
  });
  router.post('/internal/v1/photos/erase', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id, tokens } = tenantPhotos.parse(req.body);
    sendOk(res, { erased: await options.tenantData.erasePhotos(tenant_id, tokens) });
  });
}
