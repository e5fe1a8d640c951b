import { keyNames } from '../api/activity.ts';
import { useLoad } from '../data/use-load.ts';
import { useClient, usePermissions, useSession } from './session.tsx';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** `key_id` → description of the keys that the user may know of: all of the account, or the one that is signed in. Empty until they are loaded, and when they cannot be. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const client = useClient();
  const { access } = useSession();
  const knowsAll = usePermissions().can('keys:manage');
  const { data = NO_NAMES } = useLoad(`key names ${knowsAll}`, async (signal) => {
    if (knowsAll) return keyNames(client, signal);
    return access === undefined || access.key.description === '' ? NO_NAMES : new Map([[access.key.key_id, access.key.description]]);
  });
  return data;
}
