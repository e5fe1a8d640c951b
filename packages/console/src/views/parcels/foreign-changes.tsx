import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { Change, ChangedValue } from './changed-value.tsx';
import type { ForeignChange } from './merged-values.ts';

/** Changes shown at first. */
const SHOWN_AT_FIRST = 10;

/** Says what somebody else has changed while a form was filled in. It takes the focus: the button that loaded it is gone. */
export function ForeignChanges({ changes }: { readonly changes: readonly ForeignChange[] }) {
  const { t } = useWords();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <section ref={ref} class="notice" tabIndex={-1} aria-labelledby="foreign-changes">
      <h2 id="foreign-changes">{t.parcelForm.foreignChanges}</h2>
      {changes.length === 0 && <p>{t.parcelForm.noForeignChanges}</p>}
      <Growing items={changes} first={SHOWN_AT_FIRST}>
        {(shown) => (
          <ul>
            {shown.map(({ field, from, to, entered }) => (
              <li key={field}>
                <Change field={field} from={from} to={to} />
                {entered !== undefined && (
                  <strong class="under">
                    {t.parcelForm.entered} <ChangedValue field={field} value={entered} />
                  </strong>
                )}
              </li>
            ))}
          </ul>
        )}
      </Growing>
      <p>{t.parcelForm.entriesKept}</p>
    </section>
  );
}
