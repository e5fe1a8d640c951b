import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { usageError } from '../cli-error.ts';
import type { Io } from '../command-context.ts';
import { parseJsonObject } from '../option-values.ts';

/** What the option says. */
export const CREDENTIALS_OPTION = 'file with the credentials as a JSON object, such as {"key":"…"}; - reads standard input';
/** No credentials have more text; a larger file is another one. */
const MAX_BYTES = 64 * 1024;

const isText = (value: unknown): boolean => typeof value === 'string' || value === null;

/**
 * Reads credentials from a file, so that they show neither in the list of processes nor in the history of the shell.
 * @param file `-` for standard input
 * @returns texts by name; null for a name to remove
 * @throws CliError that shows nothing of the content
 */
export async function readCredentials(io: Io, file: string): Promise<Readonly<Record<string, string | null>>> {
  const parsed = parseJsonObject(await textOf(io, file));
  if (parsed === undefined || !Object.values(parsed).every(isText)) {
    throw usageError(
      `${file === '-' ? 'Standard input' : file} has no credentials`,
      'Write a JSON object of names and texts, such as {"key":"…"}.',
    );
  }
  return parsed as Record<string, string | null>;
}

/** The text of a stream; of a longer one only the beginning, which is no JSON. */
async function beginningOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Buffer));
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BYTES);
}

async function textOf(io: Io, file: string): Promise<string> {
  if (file === '-') {
    if (io.input === undefined) throw usageError('There is no standard input to read the credentials from', 'Name a file instead.');
    return beginningOf(io.input);
  }
  try {
    return await beginningOf(createReadStream(file));
  } catch (error) {
    throw usageError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, 'Check its path and its rights.');
  }
}
