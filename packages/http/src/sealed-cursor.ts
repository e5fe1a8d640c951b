import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { FieldError } from '@parcelway/kernel/app-error';

/** What is wrong with a cursor that no page of the list has given. */
export const invalidCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the next_cursor of the previous page',
};

/** Begins every sealed cursor: the version of its format. */
const MARK = '2.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Places are padded to a multiple of this, so that the length of a cursor does not show how many digits a position has. */
const BLOCK_BYTES = 64;

/** Cursors of one kind of list: places in it, which only this installation can read. */
export interface SealedCursors {
  /** A place as an opaque text, another one each time. @param place of Latin-1 characters, at most 302; the last is no blank */
  seal(tenantId: string, place: string): string;
  /** The place in a cursor that was sealed for this tenant and kind of list; undefined when it was not. */
  open(tenantId: string, cursor: string): string | undefined;
}

/**
 * Seals cursors with AES-256-GCM. A place may be a position among the rows of all tenants; nobody outside can read or forge it.
 * @param secrets of the installation: the first one seals, each of them opens
 * @param kind name of the list
 */
export function createSealedCursors(secrets: string | readonly string[], kind: string): SealedCursors {
  const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `parcelway cursors ${kind}`, 32));
  const keys = [secrets].flat().map(keyOf);
  const openWith = (key: Buffer, tenantId: string, sealed: Buffer): string | undefined => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(tenantId)).setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const opened = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return opened.toString('latin1').trimEnd();
    } catch {
      // The only failure there is: it was not sealed by this key for this tenant.
      return undefined;
    }
  };
  return {
    seal(tenantId, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0] as Buffer, nonce).setAAD(Buffer.from(tenantId));
      const filled = place.padEnd(Math.ceil(place.length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
      const sealed = Buffer.concat([nonce, cipher.update(filled, 'latin1'), cipher.final(), cipher.getAuthTag()]);
      return MARK + sealed.toString('base64url');
    },
    open(tenantId, cursor) {
      if (!cursor.startsWith(MARK)) return undefined;
      const sealed = Buffer.from(cursor.slice(MARK.length), 'base64url');
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
      for (const key of keys) {
        const place = openWith(key, tenantId, sealed);
        if (place !== undefined) return place;
      }
      return undefined;
    },
  };
}
