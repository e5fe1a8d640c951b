import type {
  CarrierConnection,
  ConnectionChange,
  ConnectionCreation,
  ConnectionLimits,
  connectableSources,
} from '@parcelway/contracts/carrier-connection-api';

export type Source = (typeof connectableSources)[number];

/** Source → what its account is called with. */
export const sources: Readonly<Record<Source, { readonly required: readonly string[]; readonly optional: readonly string[] }>> = {
  '17track': { required: ['key'], optional: [] },
  easypost: { required: ['key'], optional: ['webhook_secret'] },
  aftership: { required: ['key'], optional: ['webhook_secret'] },
  ups: { required: ['client_id', 'client_secret', 'push_token'], optional: [] },
  dhl: { required: ['key', 'push_token'], optional: [] },
  yunexpress: { required: ['app_id', 'app_secret', 'source_key'], optional: ['webhook_secret'] },
};

/** Source → how the vendor writes its name. */
export const vendorNames: Readonly<Record<Source, string>> = {
  '17track': '17TRACK',
  easypost: 'EasyPost',
  aftership: 'AfterShip',
  ups: 'UPS',
  dhl: 'DHL',
  yunexpress: 'YunExpress',
};

/** The name of a vendor; of one that this page does not know, its source. */
export const vendorName = (source: string): string => (Object.hasOwn(vendorNames, source) ? vendorNames[source as Source] : source);
export const sourceNames = Object.keys(sources) as Source[];

export const limitNames = [
  'requests_per_second',
  'calls_per_day',
  'fetches_per_parcel_per_day',
] as const satisfies readonly (keyof ConnectionLimits)[];

/** A connection as its form has it: texts as they are typed. */
export interface ConnectionValues {
  readonly source: Source;
  readonly carriers: string;
  /** Only what is typed; a connection keeps the others. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  readonly limits: Readonly<Record<(typeof limitNames)[number], string>>;
}

/** What a form begins with. @param connection undefined for a new one */
export function valuesOfConnection(connection: CarrierConnection | undefined): ConnectionValues {
  const limits = Object.fromEntries(limitNames.map((name) => [name, String(connection?.limits?.[name] ?? '')]));
  return {
    source: (connection?.source ?? '17track') as Source,
    carriers: connection?.carriers.join(', ') ?? '*',
    credentials: {},
    removed: [],
    limits: limits as ConnectionValues['limits'],
  };
}

/** Names of the credentials that a form asks for: those of the source, then others that are stored. */
export function credentialNames(source: string, stored: readonly string[]): readonly string[] {
  const { required, optional } = sources[source as Source] ?? { required: [], optional: [] };
  return [...new Set([...required, ...optional, ...stored])];
}

export const isOptional = (source: string, name: string): boolean => !(sources[source as Source]?.required.includes(name) ?? false);
const carriersOf = (text: string): string[] => text.split(/[\s,]+/).filter((code) => code !== '');

const credentialsOf = ({ credentials }: ConnectionValues): Record<string, string> =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''));

/** The limits of a form; null for the standard ones. Other text is kept unchanged, for the platform to reject. */
function limitsOf({ limits }: ConnectionValues): ConnectionLimits | null {
  const typed = limitNames.map((name) => [name, limits[name].trim()] as const).filter(([, value]) => value !== '');
  if (typed.length === 0) return null;
  return Object.fromEntries(typed.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]));
}

export function creationOfConnection(values: ConnectionValues): ConnectionCreation {
  const limits = limitsOf(values);
  return {
    source: values.source,
    carriers: carriersOf(values.carriers),
    credentials: credentialsOf(values),
    ...(limits === null ? {} : { limits }),
  };
}

/** The body that changes a connection to what its form says: only what is different. Empty when nothing is. */
export function changeOfConnection(values: ConnectionValues, connection: CarrierConnection): ConnectionChange {
  const before = valuesOfConnection(connection);
  const carriers = carriersOf(values.carriers);
  const credentials = { ...credentialsOf(values), ...Object.fromEntries(values.removed.map((name) => [name, null])) };
  return {
    ...(carriers.join() === connection.carriers.join() ? {} : { carriers }),
    ...(Object.keys(credentials).length === 0 ? {} : { credentials }),
    ...(JSON.stringify(values.limits) === JSON.stringify(before.limits) ? {} : { limits: limitsOf(values) }),
  };
}
