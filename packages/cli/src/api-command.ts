import { type Command, Option } from 'commander';
import type { AdminCall, AdminClient, Data } from './admin-client.ts';
import { exitCodes, usageError } from './cli-error.ts';
import { type CommandContext, type Io, rowsOf } from './command-context.ts';
import { type Column, renderRecord, renderTable } from './table.ts';

/** Reads the text of an argument or option. @throws InvalidArgumentError */
type Parse = (text: string, former: never) => unknown;

/** An argument or option of a command. */
export interface Parameter {
  /** As the command line has it: `<tenant>`, or `--name <name>`. */
  readonly flags: string;
  readonly about: string;
  /** Its name in the body or the query; absent for what is only part of the path. */
  readonly as?: string | undefined;
  readonly parse?: Parse | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly isRequired?: boolean;
  /** The word that stands for null, such as `never`. */
  readonly nullWord?: string;
  readonly fallback?: unknown;
  /** Name of the option that it excludes. */
  readonly conflicts?: string;
}

/** What the command line gave, by the names of arguments and options. */
export type Values = Readonly<Record<string, unknown>>;

/** A request that a command sends. */
export interface ApiRequest {
  readonly path: string;
  readonly call: AdminCall;
  readonly values: Values;
}

/** A command that is one call of the admin API. */
export interface ApiCommand {
  readonly name: string;
  readonly about: string;
  /** Method and path. `{name}` stands for an argument or option. */
  readonly route: string | ((values: Values) => string);
  readonly parameters?: readonly Parameter[];
  /** Makes body or query of the parameters that have a name there. @throws CliError for values that do not go together */
  readonly send?: (named: Data, values: Values, io: Io) => Data | Promise<Data>;
  /** True when no body is sent if nothing is given. */
  readonly bodyIsOptional?: boolean;
  /** Sends the request; by default once. @returns what `--json` prints */
  readonly fetch?: (client: AdminClient, request: ApiRequest, io: Io) => Promise<Data>;
  /** The text for people; by default the fields of the data. */
  readonly show?: (data: Data, values: Values) => string;
  readonly exitCode?: (data: Data) => number;
  /** Of a command that asks for a confirmation unless {@link YES} is given: without a terminal it calls nothing. */
  readonly asks?: {
    /** What to look at before, such as `Check with parcelctl tenant list which tenant it is`. */
    readonly hint: string;
    /** Whether these values need a confirmation; default always. */
    readonly isNeeded?: (values: Values) => boolean;
  };
  /** What the help says at its end. */
  readonly help?: string;
}

/** The option of a command that asks. */
export const YES: Parameter = { flags: '--yes', about: 'do not ask for confirmation' };

/** An argument that is part of the path. */
export const argument = (flags: string, about: string, as?: string, parse?: Parse): Parameter => ({ flags, about, as, parse });

/** An option. @param accepts what reads its text, or the texts that it may have */
export const option = (flags: string, about: string, as?: string, accepts?: Parse | readonly string[]): Parameter => {
  return typeof accepts === 'function' ? { flags, about, as, parse: accepts } : { flags, about, as, choices: accepts };
};

/** An option that must be given. */
export const required = (...given: Parameters<typeof option>): Parameter => ({ ...option(...given), isRequired: true });

/** Shows a list of the response as a table. @param none what to say when it is empty */
export const rows =
  (name: string, columns: readonly Column[], none: string) =>
  (data: Data): string =>
    renderTable(rowsOf(data, name), columns, none);

/** Shows the fields of the response, and a note below. */
export const recordWith =
  (note: (data: Data) => string) =>
  (data: Data): string =>
    `${renderRecord(data)}\n${note(data)}\n`;

const isArgument = ({ flags }: Parameter): boolean => flags.startsWith('<');

/** What commander calls with the text of a parameter. */
const parserOf =
  ({ parse, nullWord }: Parameter) =>
  (text: string, former: unknown): unknown =>
    // Commander takes null for an empty text, so the word stays until the request is made.
    parse === undefined || text === nullWord ? text : parse(text, former as never);

function optionOf(parameter: Parameter): Option {
  const { flags, about, parse, choices, isRequired = false, fallback, conflicts = [] } = parameter;
  const made = new Option(flags, about).makeOptionMandatory(isRequired).conflicts(conflicts);
  if (choices !== undefined) made.choices(choices);
  if (parse !== undefined) made.argParser(parserOf(parameter));
  return fallback === undefined ? made : made.default(fallback);
}

/** Name of a parameter among the values. */
const nameOf = (parameter: Parameter): string =>
  isArgument(parameter) ? parameter.flags.slice(1, -1) : optionOf(parameter).attributeName();

async function requestOf({ route, parameters = [], send, bodyIsOptional }: ApiCommand, values: Values, io: Io): Promise<ApiRequest> {
  const [method, template = ''] = (typeof route === 'string' ? route : route(values)).split(' ') as [AdminCall['method'], string];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const named = Object.fromEntries(
    parameters.flatMap((one) => {
      const value = values[nameOf(one)];
      if (one.as === undefined) return [];
      return [[one.as, value !== undefined && value === one.nullWord ? null : value]];
    }),
  );
  const sent = (await send?.(named, values, io)) ?? named;
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  if (method === 'GET') return { path, values, call: { query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) } };
  const hasBody = bodyIsOptional ? given.length > 0 : Object.keys(sent).length > 0;
  return { path, values, call: { method, ...(hasBody && { body: sent }) } };
}

/** Adds a command of the table. */
function addApiCommand(parent: Command, { io, act }: CommandContext, api: ApiCommand): void {
  const command = parent.command(api.name).description(api.about);
  const parameters = api.parameters ?? [];
  for (const one of parameters) {
    if (isArgument(one)) command.argument(one.flags, one.about, parserOf(one));
    else command.addOption(optionOf(one));
  }
  const { asks, help } = api;
  if (help !== undefined) command.addHelpText('after', help);
  if (asks !== undefined)
    command.hook('preAction', () => {
      const values = command.opts<Values>();
      if (!values['yes'] && io.confirm === undefined && (asks.isNeeded?.(values) ?? true))
        throw usageError('There is no terminal to ask for confirmation', `${asks.hint}, then add --yes.`);
    });
  const names = parameters.filter(isArgument).map(nameOf);
  command.action(
    act<Values>(async (client, args, options) => {
      const values = { ...options, ...Object.fromEntries(names.map((name, index) => [name, args[index]])) };
      const request = await requestOf(api, values, io);
      const data = await (api.fetch?.(client, request, io) ?? client.call(request.path, request.call));
      return { data, text: (api.show ?? renderRecord)(data, values), exitCode: api.exitCode?.(data) ?? exitCodes.ok };
    }),
  );
}

/** Commands that begin with the same word, in their order. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly ApiCommand[];
}

/** Adds a group of commands, or a command without a group. */
export function addCommands(program: Command, context: CommandContext, entry: CommandGroup | ApiCommand): void {
  const group = 'commands' in entry ? program.command(entry.name).description(entry.about) : program;
  for (const one of 'commands' in entry ? entry.commands : [entry]) addApiCommand(group, context, one);
}
