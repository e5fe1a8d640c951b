import type { Tone } from './badge.tsx';

/** A part of a whole. */
export interface SharePart {
  readonly id: string | number;
  readonly tone: Tone;
  readonly count: number;
}

const HEIGHT = 12;

/** Shares of a whole, side by side. Say the same in words beside it. */
export function ShareBar({ parts }: { readonly parts: readonly SharePart[] }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  return (
    <svg class="share" viewBox={`0 0 ${total} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ id, tone, count }) => {
        const x = from;
        from += count;
        return <rect key={id} class={`share-${tone}`} x={x} width={count} height={HEIGHT} />;
      })}
    </svg>
  );
}
