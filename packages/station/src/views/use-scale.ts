import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readScale, type SerialPortLike, serialOf } from '../devices/scale.ts';
import type { ScaleReading } from '../domain/scale-line.ts';

/** Name under which the browser remembers the speed of the scale; nothing else is remembered there. */
const SPEED = 'parcelway-station-baud';
const DEFAULT_BAUD = 9600;

/** A scale at the bench. */
export interface Scale {
  readonly possible: boolean;
  readonly connected: boolean;
  readonly failed: boolean;
  readonly baudRate: number;
  /** Lets the user choose a port, and reads from it. */
  readonly connect: (baudRate: number) => void;
  readonly disconnect: () => void;
}

/** Reads the scale: the one that the user has allowed before at once, another one on request. */
export function useScale(onReading: (reading: ScaleReading | undefined) => void): Scale {
  const [state, setState] = useState({ connected: false, failed: false });
  const running = useRef<AbortController | undefined>(undefined);
  const serial = serialOf(navigator);
  const baudRate = Number(localStorage.getItem(SPEED)) || DEFAULT_BAUD;

  const read = useCallback(
    async (port: SerialPortLike, baud: number): Promise<void> => {
      running.current?.abort();
      const run = new AbortController();
      running.current = run;
      setState({ connected: true, failed: false });
      try {
        await readScale(port, baud, onReading, run.signal);
        setState({ connected: false, failed: false });
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        setState({ connected: false, failed: true });
      }
    },
    [onReading],
  );

  useEffect(() => {
    serial?.getPorts().then(([known]) => known && read(known, baudRate));
    return () => running.current?.abort();
  }, [serial, read]);

  return {
    possible: serial !== undefined,
    ...state,
    baudRate,
    connect(baud) {
      localStorage.setItem(SPEED, String(baud));
      serial?.requestPort().then(
        (port) => read(port, baud),
        (error: unknown) => {
          // Nothing was chosen.
          if (!(error instanceof DOMException)) throw error;
        },
      );
    },
    disconnect: () => running.current?.abort(),
  };
}
