import type { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import sax from 'sax';

/** What is done with the elements of an XML document. Names have no prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements that are read of a file, whatever they are: a sheet of 50,000 rows with 100 columns has 10 million. */
const MAX_ELEMENTS = 12_000_000;

/** Counts the elements of all parts of a file. Those that mean nothing take time as well. */
export class ElementCount {
  readonly #most: number;
  #elements = 0;

  /** @param most that a file may have */
  constructor(most = MAX_ELEMENTS) {
    this.#most = most;
  }

  /** Counts one more. @throws AppError 42206 */
  add(): void {
    this.#elements += 1;
    if (this.#elements <= this.#most) return;
    const message = `The spreadsheet has more than ${this.#most} XML elements, of cells and others; remove empty rows, formats and other sheets`;
    throw new AppError('42206', message);
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads a document piece by piece. Texts of any length come in pieces; entities that a document defines are refused.
 * @param elements of the file that the document is a part of
 * @returns after each piece, so that the caller can pass on what it has
 * @throws AppError 42205 when it is malformed; 42206 when the file has too many elements; what the handler throws
 */
export async function* xmlEvents(stream: Readable, handler: XmlHandler, elements: ElementCount): AsyncGenerator<void, void, void> {
  const parser = sax.parser(true, { position: false });
  parser.onopentag = ({ name, attributes }) => {
    elements.add();
    handler.open?.(local(name), attributes as Record<string, string>);
  };
  parser.onclosetag = (name) => handler.close?.(local(name));
  parser.ontext = (text) => handler.text?.(text);
  parser.oncdata = (text) => handler.text?.(text);
  parser.onerror = (error) => {
    throw new AppError('42205', 'The spreadsheet is damaged: a part of it is no XML. Save it again', { cause: error });
  };
  const decoder = new TextDecoder();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** Reads a whole document. @throws as {@link xmlEvents} */
export async function readXml(stream: Readable, handler: XmlHandler, elements: ElementCount): Promise<void> {
  for await (const _ of xmlEvents(stream, handler, elements));
}
