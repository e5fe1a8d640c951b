import { domainEventTypes, topicOf } from './domain-events.ts';
import type { Environment } from './environment.ts';

/** The AsyncAPI 3.0 document of the events between the services. */
export function buildAsyncApi(options: { readonly environment: Environment }): Record<string, unknown> {
  const channels = Object.fromEntries(
    domainEventTypes.map((type) => [type, { address: topicOf[type], messages: { [type]: { name: type } } }]),
  );
  return { asyncapi: '3.0.0', info: { title: `Parcelway events (${options.environment})`, version: '1.0.0' }, channels };
}
