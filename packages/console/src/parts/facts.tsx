import type { ComponentChildren } from 'preact';

/** What a list of facts needs. */
export interface FactsProps {
  readonly rows: ReadonlyArray<readonly [name: string, value: ComponentChildren]>;
  /** True sets them in two columns where there is room. */
  readonly broad?: boolean;
}

/** Names with what they are; a row without a value is left out. */
export function Facts({ rows, broad = false }: FactsProps) {
  return (
    <dl class={broad ? 'facts facts-broad' : 'facts'}>
      {rows.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
