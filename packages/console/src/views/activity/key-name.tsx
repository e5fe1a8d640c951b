import { useWords } from '../../messages/language.ts';

/** What the name of a key needs. */
export interface KeyNameProps {
  readonly keyId: string;
  /** `key_id` → description. */
  readonly names: ReadonlyMap<string, string>;
}

/** A key by its description where that is known, with its id below. */
export function KeyName({ keyId, names }: KeyNameProps) {
  const { t } = useWords();
  const name = names.get(keyId);
  return (
    <>
      {name ?? t.activity.key}
      <code class="under breaking">{keyId}</code>
    </>
  );
}
