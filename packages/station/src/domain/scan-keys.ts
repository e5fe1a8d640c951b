/** Longest line that a scanner types. */
const MAX_TYPED = 1024;
/** Shortest line that is a scan: a letter and Enter may be meant for a button. */
const MIN_SCAN = 4;

/** What came of a key. */
export interface TypedKeys {
  /** What was typed so far and is no scan yet. */
  readonly typed: string;
  /** A scan that has ended with this key. */
  readonly scan?: string;
  /** True when the key is part of a scan: the button that has the focus must not be pressed by it. */
  readonly taken: boolean;
}

/** A key that is pressed where nothing takes text, such as in a window with a list: a scanner types its number and Enter anywhere. */
export function withKey(typed: string, key: string): TypedKeys {
  if (key === 'Enter') return typed.length < MIN_SCAN ? { typed: '', taken: false } : { typed: '', scan: typed, taken: true };
  // A space by itself presses a button.
  if (key.length === 1 && (key !== ' ' || typed !== '')) return { typed: (typed + key).slice(0, MAX_TYPED), taken: true };
  // Shift is pressed between the characters of a scan; Tab or Escape ends what was typed.
  return { typed: key === 'Shift' || key === 'CapsLock' ? typed : '', taken: false };
}
