import type {
  EndpointChange,
  EndpointCreation,
  EndpointFilter,
  EndpointPayload,
  WebhookEndpoint,
} from '@parcelway/contracts/webhook-endpoint-api';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';

/** A name with its value, as two fields. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** An endpoint as its form has it: texts as they are typed. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly TenantEventType[];
  /** JSON; empty for no filter. */
  readonly filter: string;
  /** Undefined keeps those that the endpoint has; their values are known to nobody here. */
  readonly headers: readonly Pair[] | undefined;
  readonly metadata: readonly Pair[];
  /** A number; empty for none. */
  readonly rateLimit: string;
  readonly payload: EndpointPayload;
}

/** What the form of a new endpoint begins with. */
const FRESH = { url: '', description: '', filter: '', headers: [], metadata: [], rateLimit: '', payload: 'thin' } as const;

/** What a form begins with. @param endpoint undefined for a new one, which takes the preselected types */
export function valuesOf(endpoint: WebhookEndpoint | undefined, preselected: readonly TenantEventType[]): EndpointValues {
  if (endpoint === undefined) return { ...FRESH, eventTypes: preselected };
  const { url, description, event_types, filter, headers, metadata, rate_limit, payload } = endpoint;
  return {
    url,
    description,
    eventTypes: event_types as TenantEventType[],
    filter: Object.keys(filter).length === 0 ? '' : JSON.stringify(filter, null, 2),
    headers: Object.keys(headers).length === 0 ? [] : undefined,
    metadata: Object.entries(metadata).map(([name, value]) => ({ name, value })),
    rateLimit: rate_limit === null ? '' : String(rate_limit),
    payload,
  };
}

/** The filter that a text stands for; undefined when it is no JSON object. What it may hold the platform judges. */
export function filterOf(text: string): EndpointFilter | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as EndpointFilter) : undefined;
  } catch {
    return undefined;
  }
}

const recordOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));

function settingsOf(values: EndpointValues): EndpointChange {
  return {
    description: values.description,
    event_types: [...values.eventTypes],
    filter: filterOf(values.filter) ?? {},
    metadata: recordOf(values.metadata),
    // What is no number goes as it is: the platform says what is allowed.
    rate_limit: values.rateLimit.trim() === '' ? null : Number(values.rateLimit),
    payload: values.payload,
    ...(values.headers === undefined ? {} : { headers: recordOf(values.headers) }),
  };
}

/** The body that creates an endpoint. */
export function creationOf(values: EndpointValues): EndpointCreation {
  const { event_types = [], ...settings } = settingsOf(values);
  const { status: _none, ...rest } = settings;
  return { ...rest, event_types, url: values.url.trim() };
}

/** The body that changes an endpoint to what the form says. The address goes along only when it is another: it is judged again. */
export function changeOf(values: EndpointValues, endpoint: WebhookEndpoint): EndpointChange {
  const url = values.url.trim();
  return { ...settingsOf(values), ...(url === endpoint.url ? {} : { url }) };
}
