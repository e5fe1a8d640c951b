import type { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes } from '../cli-error.ts';
import type { CommandContext, Io } from '../command-context.ts';
import { type ListenChoice, listen } from '../listen/listen.ts';
import { type Note, renderJsonNote, renderNote } from '../listen/listen-notes.ts';
import { parseList } from '../option-values.ts';
import { type AccessOptions, asCliError, inOptions, openTenantClient, withTenantAccess } from '../tenant-client.ts';

interface ListenOptions extends AccessOptions {
  readonly forwardTo: string;
  readonly events?: readonly (typeof sentEventTypes)[number][];
  readonly endpoint?: string;
  readonly json?: boolean;
}

/** Address of the local program, with or without `http://`. @throws InvalidArgumentError */
function parseForwardTo(text: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) {
    throw new InvalidArgumentError('Enter the address of your program, such as http://localhost:3000/hook.');
  }
  return url;
}

/** Code of a refusal → what to do next. */
const hints: Readonly<Record<string, string>> = {
  '40003': 'Check --api-key or PARCELWAY_API_KEY. Without them, parcelctl uses the key of the demo tenant in quickstart.json.',
  '40301': 'The key needs the scope webhooks:manage.',
  '40402': 'parcelctl listen works only in the sandbox. A production installation sends to registered endpoints with a public address.',
  '40403': 'Check --endpoint: parcelctl webhook list --tenant tnt_… shows the endpoints of a tenant.',
};

async function run(io: Io, options: ListenOptions): Promise<number> {
  const parcelway = openTenantClient(options, io.env);
  const render = options.json ? renderJsonNote : renderNote;
  const controller = new AbortController();
  const forget = io.onInterrupt?.(() => controller.abort());
  const choice: ListenChoice = {
    ...(options.endpoint === undefined ? {} : { endpoint_id: options.endpoint }),
    ...(options.events === undefined ? {} : { event_types: options.events }),
  };
  const note = (what: Note): void =>
    io.out(render(what.type === 'platform_away' ? { ...what, reason: inOptions(what.reason) } : what, new Date()));
  try {
    await listen({ parcelway, note, signal: controller.signal, forwardTo: options.forwardTo }, choice);
    return exitCodes.ok;
  } catch (error) {
    throw asCliError(error, hints);
  } finally {
    forget?.();
    parcelway.close();
  }
}

const HELP = `
Webhooks are signed as for a registered endpoint, so your program can verify them as in production.
Without --endpoint, they are signed with a separate secret, which is the same at every start.

  parcelctl listen --forward-to http://localhost:3000/hook
  parcelctl listen --forward-to localhost:3000/hook --events parcel.weighed --json
`;

/** Adds `listen`. */
export function addListenCommand(program: Command, { io, perform }: CommandContext): void {
  const command = program
    .command('listen')
    .description('Forward the webhooks of a tenant to a program on this machine, without a public address; sandbox only')
    .requiredOption('--forward-to <url>', 'address of your program, such as http://localhost:3000/hook', parseForwardTo)
    .option(
      '--events <list>',
      'only these event types, separated by commas; default: parcel.weighed, tracking.changed and endpoint.disabled; with --endpoint, those of the endpoint',
      parseList,
    )
    .option('--endpoint <id>', 'use the event types, the filter and the secret of this endpoint');
  withTenantAccess(command, HELP).action(perform<ListenOptions>((options) => run(io, options)));
}
