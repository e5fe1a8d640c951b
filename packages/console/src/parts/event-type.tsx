import { Fragment } from 'preact';

/** The type of an event; a line may break behind a dot, and elsewhere only where a word alone is too long. */
export function EventType({ type }: { readonly type: string }) {
  const words = type.split('.');
  return (
    <code class="event-type">
      {words.map((word, index) => (
        <Fragment key={word}>
          {index > 0 && <wbr />}
          <span>{index < words.length - 1 ? `${word}.` : word}</span>
        </Fragment>
      ))}
    </code>
  );
}
