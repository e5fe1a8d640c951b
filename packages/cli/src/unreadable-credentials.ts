import type { Data } from './admin-client.ts';

/** What to do about credentials that the platform cannot open. */
export const UNREADABLE_NEXT =
  'Set the former secret as CREDENTIALS_SECRET_PREVIOUS and restart tracking, or send all credentials again: ' +
  'parcelctl connection update ID --credentials-file FILE';

/** True for a connection whose credentials the platform cannot open: it names none, and every source needs one. */
export function hasUnreadableCredentials({ credential_names: names }: Data): boolean {
  return Array.isArray(names) && names.length === 0;
}
