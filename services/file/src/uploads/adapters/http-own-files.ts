import { FileListQuery, type FileUrl, FileUrlRequest } from '@parcelway/contracts/own-files-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { deleteFile, type FileQuery, findFile, listFiles, type OwnFiles, readFile } from '../own-files.ts';
import { expiryAfter, type Issuer, instantOrNull, ownFileData, urlOfFile } from './represent-files.ts';

export interface OwnFileRoutesOptions extends Issuer {
  readonly ownFiles: OwnFiles;
  /** Those of the list. */
  readonly cursors: SealedCursors;
  readonly clock: Clock;
}

const DEFAULT_LIMIT = 20;

const queryValidator = compileValidator(FileListQuery);
const urlValidator = compileValidator(FileUrlRequest);

/** The number in a path. What is no number is one that no file has. */
function attachmentIdOf(req: Request): number {
  const text = String(req.params['attachment_id']);
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
}

function fileQueryOf(query: FileListQuery, after: string | undefined): FileQuery {
  return {
    ...(query.used !== undefined && { isUsed: query.used === 'true' }),
    ...(query.created_from !== undefined && { uploadedFrom: Date.parse(query.created_from) }),
    ...(query.created_to !== undefined && { uploadedTo: Date.parse(query.created_to) }),
    ...(after !== undefined && { after }),
    limit: Number(query.limit ?? DEFAULT_LIMIT),
  };
}

export function ownFileRoutes(router: Router, options: OwnFileRoutesOptions): void {
  const { ownFiles, cursors, clock } = options;
  router.get('/open/v1/files', async (req, res) => {
    const tenantId = tenantOf(req);
    let after: string | undefined;
    const query = parseQuery(req, queryValidator, {
      cursor(text) {
        after = cursors.open(tenantId, text);
        return after === undefined ? invalidCursor : undefined;
      },
    });
    const { files, next } = await listFiles(ownFiles, tenantId, fileQueryOf(query, after));
    const nextCursor = next === null ? null : cursors.seal(tenantId, next);
    sendOk(res, { files: files.map((file) => ownFileData(options, tenantId, file)), next_cursor: nextCursor });
  });
  router.get('/open/v1/files/:attachment_id', async (req, res) => {
    const tenantId = tenantOf(req);
    sendOk(res, ownFileData(options, tenantId, await readFile(ownFiles, tenantId, attachmentIdOf(req))));
  });
  router.delete('/open/v1/files/:attachment_id', async (req, res) => {
    const attachmentId = attachmentIdOf(req);
    await deleteFile(ownFiles, tenantOf(req), attachmentId, clock.now());
    sendOk(res, { attachment_id: attachmentId, deleted: true });
  });
  router.post('/open/v1/files/:attachment_id/url', jsonBody({ optional: true }), async (req, res) => {
    const tenantId = tenantOf(req);
    const { expires_in: seconds } = urlValidator.parse(req.body);
    const file = await findFile(ownFiles, tenantId, attachmentIdOf(req));
    const expiresAt = seconds === undefined ? undefined : expiryAfter(clock.now(), seconds);
    const url = urlOfFile(options, tenantId, file, expiresAt);
    sendOk(res, { attachment_id: file.id, url, expire_time: instantOrNull(expiresAt) } satisfies FileUrl);
  });
}
