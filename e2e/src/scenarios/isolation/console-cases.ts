import { expect } from '@jest/globals';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyCreated, OwnAccess } from '@parcelway/contracts/key-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import { expectRoute } from '@parcelway/harness/route-call';
import type { Cases, Neighbours } from './neighbours.ts';

/** Sessions of the console, and what is behind links to it, of another tenant. */
export function consoleCases({ stage, owner, owned, stranger, likeMissing }: Neighbours): Cases {
  /** What belongs to another tenant is as far away from a session as from the key that it acts for. */
  async function opensNothingOfTheOwner(client: ApiClient): Promise<void> {
    expect((await expectRoute<OwnAccess>(client, 'getOwnAccess')).tenant.id).toBe(stranger.identity.tenantId);
    await likeMissing('getForecast', { path: { po_number: owned.po_number } }, { path: { po_number: 'none' } }, '40401', client);
  }

  /** Route id → what is tried. */
  return {
    createConsoleSession: async () => {
      const { token } = await expectRoute<ConsoleSession>(stranger.client, 'createConsoleSession');
      const client = stage.platform.client(token);
      await opensNothingOfTheOwner(client);
      const { key_id } = await expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'of the owner' } });
      await likeMissing('getKey', { path: { key_id } }, { path: { key_id: 'key_0' } }, '40403', client);
    },
    createConsoleLink: async () => {
      const scopes = ['forecasts:write', 'weighing:read'] as const;
      const link = await expectRoute<ConsoleLink>(stranger.client, 'createConsoleLink', { body: { scopes } });
      expect(link.key_id).toBe(stranger.identity.keyId);
      await opensNothingOfTheOwner(stage.platform.client(link.url.split('#link=')[1] ?? ''));
    },
  };
}
