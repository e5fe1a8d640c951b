// Made from the contract by `npm run docs`; do not edit.
import type { KeyChange, KeyChanged, KeyCreated, KeyCreation, KeyRotated, KeyRotation, OwnAccess, TenantKey, TenantKeyList, TenantKeyListQuery } from './key-api.ts';

/** What each route of "Keys" takes and gives. */
export interface KeysRoutes {
  /** Read who calls: `GET /open/v1/me` */
  readonly getOwnAccess: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: OwnAccess;
  };
  /** List keys: `GET /open/v1/keys` */
  readonly listKeys: {
    readonly path: undefined;
    readonly query: TenantKeyListQuery;
    readonly body: undefined;
    readonly data: TenantKeyList;
  };
  /** Create a key: `POST /open/v1/keys` */
  readonly createKey: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: KeyCreation;
    readonly data: KeyCreated;
  };
  /** Read a key: `GET /open/v1/keys/{key_id}` */
  readonly getKey: {
    readonly path: { readonly key_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: TenantKey;
  };
  /** Change a key: `PATCH /open/v1/keys/{key_id}` */
  readonly updateKey: {
    readonly path: { readonly key_id: string };
    readonly query: undefined;
    readonly body: KeyChange;
    readonly data: KeyChanged;
  };
  /** Rotate a key: `POST /open/v1/keys/{key_id}/rotate` */
  readonly rotateKey: {
    readonly path: { readonly key_id: string };
    readonly query: undefined;
    readonly body: KeyRotation | undefined;
    readonly data: KeyRotated;
  };
  /** Revoke a key: `POST /open/v1/keys/{key_id}/revoke` */
  readonly revokeKey: {
    readonly path: { readonly key_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: TenantKey;
  };
}
