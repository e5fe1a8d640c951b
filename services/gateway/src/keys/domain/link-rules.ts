import type { KeyRecord } from '../../proxy/domain/key.ts';

/** What tenants see that the key of a link is for: not which person of the operator has made it. */
export const LINK_DESCRIPTION = 'Link to the console, by the operator';

/** Links to the console of one tenant that work at the same time. They are none of the tenant's own keys, and take none of its room for them. */
export const MAX_LINKS_PER_TENANT = 100;

/** How long the key of a link is listed after its end. The audit log says for longer who has made it. */
export const DEAD_LINKS_KEPT_MS = 3_600_000;

/**
 * From when on another link can be made.
 * @param working those that work, as many as may, those that end first come first
 * @returns epoch milliseconds
 */
export function nextLinkAt(working: readonly Pick<KeyRecord, 'expiresAt'>[], now: number): number {
  return working[0]?.expiresAt ?? now;
}
