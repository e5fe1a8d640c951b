import type { ScaleReading } from '../domain/bench.ts';
import { linesOf, scaleReadingOf } from '../domain/weighing.ts';

/** What is used of the Web Serial API; the compiler's library does not know it. */
export interface SerialPortLike {
  open(options: { readonly baudRate: number }): Promise<void>;
  close(): Promise<void>;
  readonly readable: ReadableStream<Uint8Array> | null;
}

/** What is used of `navigator.serial`. */
export interface SerialLike {
  /** Lets the user choose a port. @throws DOMException NotFoundError when none is chosen */
  requestPort(): Promise<SerialPortLike>;
  getPorts(): Promise<SerialPortLike[]>;
}

/** The serial ports of this browser; undefined where it has none. */
export const serialOf = (from: Navigator): SerialLike | undefined => (from as { serial?: SerialLike }).serial;
export const baudRates = [1200, 2400, 4800, 9600, 19_200, 38_400, 115_200] as const;

/**
 * Reads a scale until `signal` aborts or it is unplugged.
 * @param onReading called with each weight; undefined when there is none any more
 * @throws DOMException when the port is taken by another program
 */
export async function readScale(
  port: SerialPortLike,
  baudRate: number,
  onReading: (reading: ScaleReading | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  await port.open({ baudRate });
  const reader = port.readable?.getReader();
  const cancel = (): void => void reader?.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let read = await reader?.read(); read !== undefined && !read.done && !signal.aborted; read = await reader?.read()) {
      const taken = linesOf(rest, decoder.decode(read.value, { stream: true }));
      rest = taken.rest;
      const last = taken.lines.at(-1);
      if (last !== undefined) onReading(scaleReadingOf(last));
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    onReading(undefined);
    reader?.releaseLock();
    await port.close().catch(() => undefined);
  }
}
