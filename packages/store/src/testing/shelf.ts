import Type from 'typebox';
import { collection } from '../collection.ts';

const closed = { additionalProperties: false } as const;

/** A collection with every kind of index, for tests of the stores. */
export const shelves = collection(
  'shelves',
  Type.Object(
    {
      tenantId: Type.String(),
      shelfNo: Type.String(),
      barcode: Type.Optional(Type.String()),
      claims: Type.Optional(Type.Array(Type.String())),
      tags: Type.Optional(Type.Array(Type.String())),
      status: Type.Optional(Type.Integer()),
      createdAt: Type.Integer(),
      endedAt: Type.Optional(Type.Integer()),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      isOpen: Type.Optional(Type.Boolean()),
      size: Type.Optional(Type.Object({ width: Type.Number(), names: Type.Array(Type.String()) }, closed)),
      labels: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      content: Type.Optional(Type.String()),
    },
    closed,
  ),
  {
    describe: 'Shelves of a test',
    key: ['tenantId', 'shelfNo'],
    unique: { barcode: ['tenantId', 'barcode'], claims: ['tenantId', { each: 'claims' }] },
    lists: {
      newest: ['tenantId', '-createdAt'],
      status: ['tenantId', 'status', '-createdAt'],
      tags: ['tenantId', { each: 'tags' }, '-createdAt'],
      ended: ['endedAt'],
    },
    heavy: ['content', 'tags'],
    hasMessages: true,
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: [{ by: 'ended', keptMs: 1000 }],
  },
);

/** A queue in groups, found by one number. */
export const errands = collection(
  'errands',
  Type.Object({ errandNo: Type.Integer(), group: Type.String(), due: Type.Optional(Type.Integer()), work: Type.String() }, closed),
  {
    describe: 'Errands of a test',
    key: ['errandNo'],
    queues: { due: { group: 'group', due: 'due' }, any: { due: 'due' } },
    lists: { group: ['group'] },
    tenant: { none: 'a test' },
    shard: 'key',
    ends: 'never',
  },
);
