import type { Data } from '../admin-client.ts';
import { type ApiCommand, argument, type CommandGroup, option, recordWith, rows } from '../api-command.ts';
import { usageError } from '../cli-error.ts';
import { parseAddresses, parseList, parseRateLimit, parseSeconds } from '../option-values.ts';
import { allPages } from '../read-log.ts';
import type { Column } from '../table.ts';

function state(key: Data): string {
  if (key['revoke_time']) return 'revoked';
  return key['expire_time'] && Date.parse(String(key['expire_time'])) <= Date.now() ? 'expired' : 'valid';
}

const columns: readonly Column[] = [
  ['KEY', 'key_id'],
  ['PREFIX', 'prefix'],
  ['HOLDER', (key) => key['tenant_id'] ?? key['warehouse_code']],
  ['SCOPES', 'scopes'],
  ['STATE', state],
  ['EXPIRES', 'expire_time'],
  ['LAST USE', 'last_use_time'],
  [
    'ADDRESSES',
    (key) => (Array.isArray(key['allowed_addresses']) && key['allowed_addresses'].length > 0 ? key['allowed_addresses'] : 'any'),
  ],
  ['CREATED BY', (key) => key['created_by'] ?? 'operator'],
  ['ROTATED TO', 'rotated_to'],
  ['DESCRIPTION', 'description'],
];

const id = argument('<key>', 'id of the key, key_…');
const description = option('--description <text>', 'note', 'description');
const addresses = option(
  '--allowed-addresses <list>',
  'addresses and networks that may use the key, separated by commas; any for all',
  'allowed_addresses',
  parseAddresses,
);
/** A new key, which nobody can show again. */
const newKey = recordWith(() => 'Save the key now. It is not shown again.');

const commands: readonly ApiCommand[] = [
  {
    name: 'issue',
    about: 'Issue a key. It is shown only once',
    route: 'POST /admin/v1/keys',
    parameters: [
      option('--tenant <id>', 'tenant of the key', 'tenant_id'),
      option('--warehouse <code>', 'warehouse of the key', 'warehouse_code'),
      option('--scopes <list>', 'scopes, separated by commas; default: all scopes of the holder except keys:manage', 'scopes', parseList),
      option('--expires-in <duration>', 'validity, such as 90d; default: no expiry', 'expires_in_seconds', parseSeconds),
      option('--rate-limit <limit>', 'off, or calls per second and burst such as 20:200', 'rate_limit', parseRateLimit),
      description,
      addresses,
    ],
    send(named) {
      if ((named['tenant_id'] === undefined) === (named['warehouse_code'] === undefined))
        throw usageError('A key belongs to one holder: use either --tenant ID or --warehouse CODE');
      return named;
    },
    show: newKey,
  },
  {
    name: 'list',
    about: 'List keys (without the secret values)',
    route: 'GET /admin/v1/keys',
    parameters: [
      option('--tenant <id>', 'only keys of this tenant', 'tenant_id'),
      option('--warehouse <code>', 'only this warehouse', 'warehouse_code'),
    ],
    fetch: allPages('keys'),
    show: rows('keys', columns, 'There are no keys that match.'),
  },
  {
    name: 'change',
    about: 'Change the given settings of a key, within 5 s',
    route: 'PATCH /admin/v1/keys/{key}',
    parameters: [
      id,
      option('--scopes <list>', 'scopes that replace the current ones, separated by commas', 'scopes', parseList),
      {
        ...option('--expires-in <duration>', 'validity from now on, such as 90d, or never', 'expires_in_seconds', parseSeconds),
        nullWord: 'never',
      },
      description,
      addresses,
    ],
    send(named) {
      if (Object.values(named).every((value) => value === undefined))
        throw usageError('Nothing to change: use --scopes, --expires-in, --description or --allowed-addresses');
      return named;
    },
  },
  {
    name: 'rotate',
    about: 'Issue a key with the same settings. The former one still works for a while. The new key is shown only once',
    route: 'POST /admin/v1/keys/{key}/rotate',
    parameters: [
      id,
      option(
        '--overlap <duration>',
        'how long the former key still works, such as 24h, or 0s; default: 24h',
        'overlap_seconds',
        parseSeconds,
      ),
    ],
    show: newKey,
  },
  {
    name: 'revoke',
    about: 'Revoke a key. It stops working everywhere within 5 s',
    route: 'POST /admin/v1/keys/{key}/revoke',
    parameters: [id],
  },
];

/** `key …`. */
export const keyCommands: CommandGroup = {
  name: 'key',
  about: 'API keys of tenants and warehouses',
  commands: commands,
};
