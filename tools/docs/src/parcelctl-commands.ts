// The commands of parcelctl, read from its own help.
import { runParcelctl } from '@parcelway/cli/run-parcelctl';

/** Options that every command has: the page names them once. */
const OF_ALL = ['--json', '--version'];

const code = (text: string) => `\`${text}\``;

/** What `parcelctl … --help` prints. */
async function helpOf(...command: string[]) {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const status = await runParcelctl([...command, '--help'], { env: {}, out: write, err: write });
  if (status !== 0) throw new Error(`parcelctl ${command.join(' ')} --help ends with ${status}: ${text}`);
  return text;
}

/** Names of the commands that a help text lists. */
function commandsIn(help: string): string[] {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** Rows of all commands below one, or of all there are: usage, what it does, its own options. */
export async function commandRows(...command: string[]): Promise<string[][]> {
  const help = await helpOf(...command);
  const names = commandsIn(help);
  if (names.length > 0) return (await Promise.all(names.map((name) => commandRows(...command, name)))).flat();
  const [, usage = '', does = ''] = /^Usage: parcelctl (.*)\n\n([\s\S]*?)\n\n/.exec(help) ?? [];
  const options = [...help.matchAll(/^ {2}(--[a-z-]+(?: <[a-z:]+>)?)/gm)]
    .map(([, option = '']) => option)
    .filter((option) => !OF_ALL.includes(option));
  return [[code(usage.replace(' [options]', '')), does.replace(/\s+/g, ' '), options.map(code).join(', ')]];
}
