import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * Asks a yes-or-no question on the terminal. Only `y` or `yes` means yes; the end of the input and Ctrl-C mean no.
 * @param output where the question is shown; not standard output where that is for programs
 */
export function askOnTerminal(question: string, input: Readable, output: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    const reader = createInterface({ input, output });
    // Always emitted last; an earlier reply stays.
    reader.once('close', () => resolve(false));
    reader.question(`${question} [y/N] `, (response) => {
      resolve(/^y(es)?$/i.test(response.trim()));
      reader.close();
    });
  });
}
