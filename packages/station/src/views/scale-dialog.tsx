import { Dialog } from '@parcelway/page/parts/dialog';
import { useRef } from 'preact/hooks';
import { baudRates } from '../devices/scale.ts';
import { useWords } from '../messages/language.ts';
import type { Scale } from './use-scale.ts';

/** Connects a scale, or lets it go. */
export function ScaleDialog({ scale, onClose }: { readonly scale: Scale; readonly onClose: () => void }) {
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
        <button type="button" onClick={onClose}>
          {t.scale.close}
        </button>
        {scale.connected && (
          <button type="button" onClick={scale.disconnect}>
            {t.scale.disconnect}
          </button>
        )}
        {scale.possible && !scale.connected && (
          <button type="button" class="primary" onClick={() => scale.connect(Number(speed.current?.value))}>
            {t.scale.connect}
          </button>
        )}
      </div>
    </Dialog>
  );
}
