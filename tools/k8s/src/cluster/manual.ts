import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Blocks of the manual that need what KWOK's nodes do not have: containers that run, and images. */
const leftOut: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(docker|kind) /m, 'builds an image'],
  [/kubectl .* (exec|port-forward) /, 'enters a container'],
  [/npx parcelctl/, 'asks the platform'],
];

/** Fenced blocks of docs/kubernetes.md, each taken once or more. */
export interface Manual {
  /** The only block of a section that has a text. @throws Error when there is none, or several */
  readonly block: (section: string, having: string | RegExp) => string;
  /** Commands that nothing has taken, and that need not be left out. */
  readonly notRun: () => string[];
  /** How many blocks are left out, by their reasons. */
  readonly leftOut: () => string;
}

interface Block {
  readonly section: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(text: string): Block[] {
  return text.split(/^## /m).flatMap((part) => {
    const [section = ''] = part.split('\n', 1);
    // A block in a list is indented as the list is.
    return [...part.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', language = '', body = '']) => ({
      section,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }));
  });
}

/** Reads the manual of a repository. */
export function readManual(root: string): Manual {
  const blocks = blocksOf(readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8'));
  const commands = blocks.filter(({ language }) => ['sh', 'bash'].includes(language));
  const taken = new Set<Block>();
  const reasonOf = ({ text }: Block) => leftOut.find(([pattern]) => pattern.test(text))?.[1];
  return {
    block: (section, having) => {
      const has = (text: string) => (typeof having === 'string' ? text.includes(having) : having.test(text));
      const [found, ...more] = blocks.filter((block) => block.section === section && has(block.text));
      if (found === undefined || more.length > 0)
        throw new Error(`docs/kubernetes.md, ${section}: ${more.length + (found ? 1 : 0)} blocks have "${having}"; one has to`);
      taken.add(found);
      return found.text;
    },
    notRun: () => commands.filter((block) => !taken.has(block) && reasonOf(block) === undefined).map(({ text }) => text),
    leftOut: () => {
      const reasons = commands.filter((block) => !taken.has(block)).map(reasonOf);
      return [...new Set(reasons)].map((reason) => `${reasons.filter((each) => each === reason).length}, which ${reason}`).join('; ');
    },
  };
}
