/** What the name of a key needs. */
export interface KeyNameProps {
  readonly keyId: string;
  /** `key_id` → description. */
  readonly names: ReadonlyMap<string, string>;
}

/** A key by its description, with its id below where there is room; by its id alone where no description is known. */
export function KeyName({ keyId, names }: KeyNameProps) {
  const name = names.get(keyId);
  if (name === undefined) return <code>{keyId}</code>;
  return (
    <>
      <span class="whole-words">{name}</span>
      <code class="under wide">{keyId}</code>
    </>
  );
}
