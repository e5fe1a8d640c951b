import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { expireView } from './expected/expire-view.ts';
import type { ViewRetention } from './expected/ports.ts';
import { expireEvents } from './reports/expire-events.ts';
import { expireRejections } from './reports/expire-rejections.ts';
import type { Recovery, Rejections, Retention } from './reports/ports.ts';
import { resumeEvents } from './reports/resume-events.ts';

const EVERY_MS = 60_000;

/** What the upkeep needs. */
export interface UpkeepOptions {
  readonly intake: Recovery & Retention;
  readonly rejections: Pick<Rejections, 'forget'>;
  readonly view: ViewRetention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Events, and forecasts that have left, are kept this long. */
  readonly keepMs: number;
}

/**
 * Finishes what a crash has cut short and deletes what is old: at once, and then a minute after each round. A step that fails holds up
 * no other and is tried again in the next round.
 * @returns what ends it: when it resolves, nothing runs any more
 */
export function startUpkeep({ intake, rejections, view, notify, keepMs, ...rest }: UpkeepOptions): { stop(): Promise<void> } {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const common = { ...rest, stopping: () => stopping };
  const steps = {
    'Finishing events that were processed only partly': () => resumeEvents({ ...common, recovery: intake, notify }),
    'Deleting old events': () => expireEvents({ ...common, retention: intake, keepMs }),
    'Deleting old rejected reports': () => expireRejections({ ...common, rejections }),
    'Deleting old forecasts of the view': () => expireView({ ...common, retention: view, keepMs }),
  } as const;
  const runAll = async (): Promise<void> => {
    for (const [what, step] of Object.entries(steps)) {
      await step().catch((error: unknown) => rest.logger.warn({ err: error }, `${what} failed; it will be retried`));
    }
    if (!stopping) timer = setTimeout(begin, EVERY_MS).unref();
  };
  const begin = (): void => {
    round = runAll();
  };
  begin();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await round;
    },
  };
}
