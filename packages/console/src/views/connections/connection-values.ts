import type { ConnectionLimits, connectableSources } from '@parcelway/contracts/carrier-connection-api';
import { type FieldOf, type ValuesOf, words } from '../../data/body.ts';

type Source = (typeof connectableSources)[number];

interface Vendor {
  /** As the vendor writes it. */
  readonly name: string;
  /** Credentials of an account. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const sources: Readonly<Record<Source, Vendor>> = {
  '17track': { name: '17TRACK', required: ['key'], optional: [] },
  easypost: { name: 'EasyPost', required: ['key'], optional: ['webhook_secret'] },
  aftership: { name: 'AfterShip', required: ['key'], optional: ['webhook_secret'] },
  ups: { name: 'UPS', required: ['client_id', 'client_secret', 'push_token'], optional: [] },
  dhl: { name: 'DHL', required: ['key', 'push_token'], optional: [] },
  yunexpress: { name: 'YunExpress', required: ['app_id', 'app_secret', 'source_key'], optional: ['webhook_secret'] },
};

/** The name of a vendor; of one that this page does not know, its source. */
export const vendorName = (source: string): string => (Object.hasOwn(sources, source) ? sources[source as Source].name : source);
export const sourceNames = Object.keys(sources) as Source[];

export const limitNames = [
  'requests_per_second',
  'calls_per_day',
  'fetches_per_parcel_per_day',
] as const satisfies readonly (keyof ConnectionLimits)[];

const limits: FieldOf<Readonly<Record<(typeof limitNames)[number], string>>> = {
  read: (value) => {
    const known = (value ?? {}) as ConnectionLimits;
    const typed = limitNames.map((name) => [name, String(known[name] ?? '')]);
    return Object.fromEntries(typed);
  },
  write: (typed) => {
    const given = limitNames.map((name) => [name, typed[name].trim()] as const).filter(([, value]) => value !== '');
    // Without any, the standard ones hold.
    if (given.length === 0) return undefined;
    return Object.fromEntries(given.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]));
  },
};

/** Only what is typed, and null for what is removed: a connection keeps the others, which nobody can read. */
const credentials: FieldOf<Readonly<Record<string, string | null>>> = {
  read: () => ({}),
  write: (typed) => Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')),
};

const source: FieldOf<Source> = { read: (value) => (value ?? '17track') as Source, write: (typed) => typed };

/** A connection as its form has it. */
export const connectionFields = { source, carriers: words(', ', ['*']), credentials, limits };
export type ConnectionValues = ValuesOf<typeof connectionFields>;

/** Names of the credentials that a form asks for: those of the source, then others that are stored. */
export function credentialNames(source: string, stored: readonly string[]): readonly string[] {
  const { required, optional } = sources[source as Source] ?? { required: [], optional: [] };
  return [...new Set([...required, ...optional, ...stored])];
}

export const isOptional = (source: string, name: string): boolean => !(sources[source as Source]?.required.includes(name) ?? false);
