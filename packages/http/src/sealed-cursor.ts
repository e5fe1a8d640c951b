import type { FieldError } from '@parcelway/kernel/app-error';
import { createTextSealer } from '@parcelway/kernel/sealed-text';

/** What is wrong with a cursor that no page of the list has given. */
export const invalidCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the next_cursor of the previous page',
};

/** Places are padded to a multiple of this, so that the length of a cursor does not show how many digits a position has. */
const BLOCK_BYTES = 64;

/** Cursors of one kind of list: places in it, which only this installation can read. */
export type SealedCursors = ReturnType<typeof createSealedCursors>;

/**
 * Seals cursors. A place may be a position among the rows of all tenants; nobody outside can read or forge it.
 * @param secrets of the installation: the first one seals, each of them opens
 * @param kind name of the list
 */
export function createSealedCursors(secrets: readonly string[], kind: string) {
  const sealer = createTextSealer(secrets);
  const boundTo = (tenantId: string): string => JSON.stringify(['cursor', kind, tenantId]);
  return {
    /** A place as an opaque text, another one each time. @param place of ASCII characters, at most 320; the last is no blank */
    seal: (tenantId: string, place: string): string =>
      sealer.seal(place.padEnd(Math.ceil(place.length / BLOCK_BYTES) * BLOCK_BYTES), boundTo(tenantId)),
    /** The place in a cursor that was sealed for this tenant and kind of list; undefined when it was not. */
    open(tenantId: string, cursor: string): string | undefined {
      try {
        return sealer.open(cursor, boundTo(tenantId)).trimEnd();
      } catch {
        // The only failure there is: it was not sealed with these secrets for this tenant.
        return undefined;
      }
    },
  };
}
