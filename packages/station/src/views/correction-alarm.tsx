import type { Change } from '../domain/correction-changes.ts';
import type { DocumentKind } from '../domain/documents.ts';
import { useWords } from '../messages/language.ts';
import { KeyButton, letterOf } from './key-button.tsx';

/** What the alarm needs. */
export interface CorrectionAlarmProps {
  readonly changes: readonly Change[];
  /** Documents that were printed here before. */
  readonly outdated: readonly DocumentKind[];
  readonly onSeen: () => void;
}

/** Says that the merchant has corrected the parcel, what has changed, and which of its documents are out of date. */
export function CorrectionAlarm({ changes, outdated, onSeen }: CorrectionAlarmProps) {
  const { t } = useWords();
  const { correction } = t;
  return (
    <div class="alarm alarm-correction" role="alert">
      <p>{correction.title}</p>
      {outdated.length > 0 && <p class="alarm-detail">{correction.printedBefore(outdated.map((kind) => t.commands[kind]).join(', '))}</p>}
      {changes.length > 0 && (
        <ul class="alarm-detail">
          {changes.map(({ field, sku, from, to }) => (
            <li key={`${field} ${sku}`}>
              {correction.fields[field]}
              {sku !== undefined && ` ${sku}`}
              {from !== undefined && `: ${from || '–'} → ${to || '–'}`}
            </li>
          ))}
        </ul>
      )}
      <KeyButton keyName={letterOf('seen')} label={t.commands.seen} onPress={onSeen} />
    </div>
  );
}
