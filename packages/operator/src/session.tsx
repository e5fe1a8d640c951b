import type { OperatorRole, PresentOperator } from '@parcelway/contracts/operator-api';
import type { Client } from '@parcelway/page/api/client';
import { createUseGet, createUseRead } from '@parcelway/page/data/use-load';
import { createUseList } from '@parcelway/page/data/use-pages';
import { createKeySession, pageClient } from '@parcelway/page/parts/session';

export const { SessionProvider, useSession } = createKeySession(async (key, onRefused) => {
  const client = pageClient({ key, scheme: 'bearer', onRefused });
  return { client, operator: await client.call<PresentOperator>('/admin/v1/operator') };
});

export function useClient(): Client {
  const { signedIn } = useSession();
  if (signedIn === undefined) throw new Error('Nobody is signed in');
  return signedIn.client;
}

export const useRead = createUseRead(useClient);
export const useGet = createUseGet(useClient);
export const useList = createUseList(useClient);

/** The roles, each with all that the ones before it may do. Not from the contracts, whose schemas would come along. */
export const ROLES: readonly OperatorRole[] = ['read', 'support', 'admin'];

/** Whether the signed-in operator may do what a role is needed for. The gateway decides; this only hides what it would refuse. */
export function useMay(needed: OperatorRole): boolean {
  const role = useSession().signedIn?.operator.role ?? 'read';
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
