import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * Asks a person a question. Anything but `y` or `yes` is a no, and so are the end of the input and Ctrl-C.
 * @param output where the question is shown; not standard output where that is for programs
 */
export function askOnTerminal(question: string, input: Readable, output: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    const reader = createInterface({ input, output });
    // Comes last in any case; what has got a response before stays.
    reader.once('close', () => resolve(false));
    reader.question(`${question} [y/N] `, (response) => {
      resolve(/^y(es)?$/i.test(response.trim()));
      reader.close();
    });
  });
}
