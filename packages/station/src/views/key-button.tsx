import { type Command, keyOf } from '../domain/entry.ts';

/** What a button with a key needs. */
export interface KeyButtonProps {
  /** As on the keyboard. */
  readonly keyName: string;
  readonly label: string;
  readonly onPress: () => void;
  /** True when nothing would come of it. */
  readonly off?: boolean;
  readonly tone?: 'primary' | 'danger';
}

/** Something to do, with the key that does it. */
export function KeyButton({ keyName, label, onPress, off = false, tone }: KeyButtonProps) {
  return (
    <button type="button" class={`key-button ${tone ?? ''}`} aria-disabled={off || undefined} onClick={onPress}>
      <kbd>{keyName}</kbd> {label}
    </button>
  );
}

/** The letter of a command. */
export const letterOf = (command: Command): string => keyOf[command];
