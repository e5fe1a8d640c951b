import type { KeyChange, KeyCreation, KeyRotation, TenantKeyListQuery } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Your API keys, with a key that has the scope keys:manage. Every method but create and list rejects with 40403 when there is no such key. */
export class Keys extends Resource {
  /** Keys, newest first, revoked and expired ones too: `for await (const key of parcelway.keys.list())`. */
  list(query: TenantKeyListQuery = {}, options?: CallOptions) {
    return this.pages('listKeys', { query }, (page) => page.keys, options);
  }

  /** Creates a key; the response alone has the key itself. It has no more scopes than the key that you call with. */
  create(creation: KeyCreation, options?: CallOptions) {
    return this.caller.call('createKey', { body: creation }, options);
  }

  /** One. */
  get(keyId: string, options?: CallOptions) {
    return this.caller.call('getKey', { path: { key_id: keyId } }, options);
  }

  /** Changes the fields given, within 5 seconds. Scopes never grow. */
  update(keyId: string, change: KeyChange, options?: CallOptions) {
    return this.caller.call('updateKey', { path: { key_id: keyId }, body: change }, options);
  }

  /** Creates a key with the same settings; the former one still works for a day, or as the request says. */
  rotate(keyId: string, request?: KeyRotation, options?: CallOptions) {
    return this.caller.call('rotateKey', { path: { key_id: keyId }, body: request }, options);
  }

  /** Revokes a key for good, within 5 seconds. */
  revoke(keyId: string, options?: CallOptions) {
    return this.caller.call('revokeKey', { path: { key_id: keyId } }, options);
  }
}
