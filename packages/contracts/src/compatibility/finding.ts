import type { Misfit } from './schema-misfits.ts';

/** What kind of agreement it is; says whom a change of it can break. */
export type AgreementKind = 'request' | 'response' | 'webhook' | 'report' | 'event' | 'topic';

const kinds: Readonly<Record<AgreementKind, { readonly breaks: string; readonly instead: string }>> = {
  request: {
    breaks: 'callers that go on sending what was valid',
    instead: 'Go on accepting it (keep the old rule, make a new field optional), or make a new version of the route (`/open/v2/…`).',
  },
  response: {
    breaks: 'callers that read responses as documented',
    instead: 'Keep what was there and put the new beside it in an optional field, or make a new version of the route (`/open/v2/…`).',
  },
  webhook: {
    breaks: 'receivers that read webhooks as documented',
    instead: 'Keep what was there and put the new beside it, or send a new event type (`….v2`) that endpoints subscribe to.',
  },
  report: {
    breaks: 'warehouse systems that go on reporting what was valid',
    instead: 'Go on accepting it (keep the old rule, make a new field optional), or read a new topic (`….v2`) beside the old one.',
  },
  event: {
    breaks: 'services of the other version, which run beside these during a rollout, and what is kept on the topic',
    instead: 'Keep what was there and add an optional field, or publish a new event type (`….v2`) beside the old one.',
  },
  topic: {
    breaks: 'consumers that read from the documented topics in the documented order',
    instead: 'Leave topic, key and partitions as they are; a new topic (`….v2`) comes beside the old one, with new event types on it.',
  },
};

/** One change that breaks somebody. */
export interface Finding {
  /** Names the change in `accepted.json`. */
  readonly id: string;
  /** The agreement, such as `POST /open/v1/forecasts, request`. */
  readonly contract: string;
  /** Place in it and what changed. */
  readonly change: string;
  /** Who can no longer do what the contract said. */
  readonly breaks: string;
  /** What to do instead. */
  readonly instead: string;
}

/** A misfit of the schema of an agreement as a finding. */
export function findingOf(kind: AgreementKind, contract: string, { path, rule, change, branches }: Misfit): Finding {
  const place = [path, branches.length > 0 ? `(${branches.join(', ')})` : ''].filter(Boolean).join(' ');
  const id = `${contract}: ${[path, rule].filter(Boolean).join(' ')}`;
  return { id, contract, change: place === '' ? change : `${place}: ${change}`, ...kinds[kind] };
}

/** A finding as people read it, in several lines. */
export function inWords({ contract, change, breaks, instead, id }: Finding): string {
  return `${contract}\n  ${change}\n  Breaks: ${breaks}.\n  Instead: ${instead}\n  Id: ${id}`;
}
