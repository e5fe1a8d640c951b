import { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { ledgerFields } from './domain/call-ledger.ts';

const closed = { additionalProperties: false } as const;

/** The connections of tenants, and those that an operator has added. */
export const connections = collection(
  'connections',
  Type.Object(
    {
      connectionId: Type.String(),
      /** Empty for the operator. */
      owner: Type.String(),
      /** Place among the connections of the owner: two inserts at the same time do not exceed the limit. */
      slot: Type.Integer(),
      source: Type.String(),
      baseUrl: Type.Union([Type.String(), Type.Null()]),
      carriers: Type.Array(Type.String()),
      /** In the place of the vendor's own; absent for those. */
      limits: Type.Optional(Type.Object(ConnectionLimits.properties, closed)),
      sealedCredentials: Type.String(),
      createdAt: Type.Integer(),
      updatedAt: Type.Integer(),
    },
    closed,
  ),
  {
    describe: 'Accounts of carriers and of tracking sources, with their credentials sealed',
    key: ['connectionId'],
    unique: { slot: ['owner', 'slot'] },
    lists: { owner: ['owner', 'createdAt'], all: ['connectionId'] },
    tenant: 'owner',
    shard: { unsharded: 'a few small documents for each tenant; a push names a connection and no tenant' },
    ends: 'when its owner deletes it',
  },
);

/** What connections have called. */
export const callLedgers = collection('call_ledgers', Type.Object({ connectionId: Type.String(), ...ledgerFields }, closed), {
  describe: 'Calls of each connection: how many today, when the next may begin, when its vendor last pushed',
  key: ['connectionId'],
  tenant: { none: 'it goes with its connection' },
  shard: { unsharded: 'one small document for each connection' },
  ends: 'with its connection',
});

/** Everything that connections keep. */
export const connectionCollections = [connections, callLedgers] as const;
