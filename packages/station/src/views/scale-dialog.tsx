import { Button } from '@parcelway/page/parts/button';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { baudRates, readScale, type SerialPortLike, serialOf } from '../devices/scale.ts';
import type { ScaleReading } from '../domain/bench.ts';
import { useWords } from '../messages/language.ts';

/** Name under which the browser remembers the speed of the scale; nothing else is remembered there. */
const SPEED = 'parcelway-station-baud';
const DEFAULT_BAUD = 9600;

/** Reads the scale: the one that the user has allowed before at once, another one on request. */
export function useScale(onReading: (reading: ScaleReading | undefined) => void) {
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
    connect(baud: number) {
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

export function ScaleDialog({ scale, onClose }: { readonly scale: ReturnType<typeof useScale>; readonly onClose: () => void }) {
  const { t } = useWords();
  const speed = useRef<HTMLSelectElement>(null);
  return (
    <Dialog title={t.scale.title} onClose={onClose}>
      {!scale.possible && <p class="large">{t.scale.none}</p>}
      {scale.possible && (
        <label class="field">
          {t.scale.speed}
          <select ref={speed} defaultValue={String(scale.baudRate)}>
            {baudRates.map((rate) => (
              <option key={rate} value={String(rate)}>
                {rate}
              </option>
            ))}
          </select>
          <span class="hint">{t.scale.hint}</span>
        </label>
      )}
      {scale.failed && (
        <p class="fault" role="alert">
          {t.scale.failed}
        </p>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose} text={t.scale.close} />
        {scale.connected && <Button onClick={scale.disconnect} text={t.scale.disconnect} />}
        {scale.possible && !scale.connected && (
          <Button class="primary" onClick={() => scale.connect(Number(speed.current?.value))} text={t.scale.connect} />
        )}
      </div>
    </Dialog>
  );
}
