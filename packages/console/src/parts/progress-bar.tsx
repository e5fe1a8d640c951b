/** What the bar needs. */
export interface ProgressBarProps {
  readonly label: string;
  /** Whole percent; undefined while nobody knows. */
  readonly percent: number | undefined;
  /** True when part of what is done has failed. */
  readonly warns?: boolean;
  /** The progress in words. */
  readonly text: string;
}

const WIDTH = 100;

/** How much of something is done. Drawn, because the page's policy allows no inline style. */
export function ProgressBar({ label, percent, warns = false, text }: ProgressBarProps) {
  return (
    <div class="progress">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={WIDTH}
        {...(percent === undefined ? {} : { 'aria-valuenow': percent })}
        aria-valuetext={text}
      >
        <svg viewBox={`0 0 ${WIDTH} 4`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="progress-track" width={WIDTH} height="4" />
          {percent !== undefined && <rect class={warns ? 'progress-warn' : 'progress-done'} width={percent} height="4" />}
        </svg>
      </div>
      <p role="status">{text}</p>
    </div>
  );
}
