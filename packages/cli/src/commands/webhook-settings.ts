import { endpointPayloads } from '@parcelway/contracts/webhook-endpoint-api';
import { standardEventTypes, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCount, parseList } from '../option-values.ts';

/** Settings of an endpoint on the command line. */
export interface SettingsOptions {
  readonly events?: string[];
  readonly description?: string;
  readonly filter?: object;
  readonly header?: Readonly<Record<string, string>>;
  readonly rateLimit?: number | 'off';
  readonly payload?: string;
}

/** A filter as JSON, such as `{"is_terminal": true}`. @throws InvalidArgumentError */
function parseFilter(text: string): object {
  try {
    const filter: unknown = JSON.parse(text);
    if (filter !== null && typeof filter === 'object' && !Array.isArray(filter)) return filter;
  } catch {
    // The error below shows a valid value, which helps more than the parser's message.
  }
  throw new InvalidArgumentError(`Enter a JSON object such as '{"is_terminal": true}'. '{}' matches all events.`);
}

/** Adds `Name: value` to those given before. @throws InvalidArgumentError */
function addHeader(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const match = /^([^:\s]+):\s*(.+)$/.exec(text);
  if (!match) throw new InvalidArgumentError("Enter a header as 'Name: value'.");
  return { ...before, [match[1] as string]: match[2] as string };
}

/** Attempts a second, or `off`. @throws InvalidArgumentError */
function parseRate(text: string): number | 'off' {
  return text === 'off' ? text : parseCount(text);
}

const EVENTS = `event types, separated by commas: ${tenantEventTypes.join(', ')}. Default of a new endpoint: ${standardEventTypes.join(' and ')}`;

/** Adds the options that creating and changing an endpoint have in common. */
export function withSettings(command: Command): Command {
  return command
    .option('--events <list>', EVENTS, parseList)
    .option('--description <text>', 'note')
    .option('--filter <json>', `only events whose data matches, such as '{"is_terminal": true}'`, parseFilter)
    .option('--header <line>', "header sent with every attempt, 'Name: value'; can be repeated", addHeader)
    .option('--rate-limit <count>', 'maximum number of attempts per second; off for no limit', parseRate)
    .addOption(new Option('--payload <payload>', 'thin, or full to include the data that the query returns').choices(endpointPayloads));
}

/** The settings as the API takes them; absent ones are left out. */
export function settingsBody({ events, description, filter, header, rateLimit, payload }: SettingsOptions): Record<string, unknown> {
  return { event_types: events, description, filter, headers: header, rate_limit: rateLimit === 'off' ? null : rateLimit, payload };
}
