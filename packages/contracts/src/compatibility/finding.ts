import type { Misfit } from './schema-misfits.ts';

/** What kind of agreement a part of the contracts is; says whom a change of it can break. */
export type ContractKind = 'request' | 'response' | 'webhook' | 'report' | 'event-written' | 'event-read' | 'topic';

const kinds: Readonly<Record<ContractKind, { readonly breaks: string; readonly instead: string }>> = {
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
  'event-written': {
    breaks: 'services of the version before, which run beside the new ones during a rollout and read what those publish',
    instead:
      'Keep what was there and add an optional field, or publish a new event type (`….v2`) beside the old one for as long as a baseline has that.',
  },
  'event-read': {
    breaks: 'services of the new version, which read what the version before published and what is kept on the topic',
    instead: 'Accept what was valid (make a new field optional), or read a new event type (`….v2`) beside the old one.',
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

/** A finding about a part of the contracts. */
export function finding(kind: ContractKind, contract: string, rule: string, change: string): Finding {
  return { id: `${contract}: ${rule}`, contract, change, ...kinds[kind] };
}

/** Misfits of a schema as findings about the part of the contracts that it describes. */
export function findingsOf(kind: ContractKind, contract: string, misfits: readonly Misfit[]): Finding[] {
  return misfits.map(({ path, rule, change, branches }) => {
    const place = [path, branches.length > 0 ? `(${branches.join(', ')})` : ''].filter(Boolean).join(' ');
    return finding(kind, contract, [path, rule].filter(Boolean).join(' '), place === '' ? change : `${place}: ${change}`);
  });
}

/** Something new that breaks nobody. */
export interface Addition {
  readonly contract: string;
  readonly change: string;
}

/** What a comparison comes to. */
export interface Comparison {
  readonly breaking: readonly Finding[];
  readonly additions: readonly Addition[];
}

/** Several comparisons as one. */
export function inAll(comparisons: readonly Comparison[]): Comparison {
  return {
    breaking: comparisons.flatMap(({ breaking }) => breaking),
    additions: comparisons.flatMap(({ additions }) => additions),
  };
}

/** A finding as people read it, in several lines. */
export function inWords({ contract, change, breaks, instead, id }: Finding): string {
  return `${contract}\n  ${change}\n  Breaks: ${breaks}.\n  Instead: ${instead}\n  Id: ${id}`;
}
