import type { DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import { duration } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, responseTone } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FullTime, Time } from '../../parts/time.tsx';
import { errorText } from './attempt-error.ts';

/** The body of the response, or that it had none; nothing when no response came, which the error says already. */
function ResponseBody({ attempt: { status_code, response_body } }: { readonly attempt: DeliveryAttempt }) {
  const { t } = useWords();
  if (!response_body) return status_code === null ? null : <p class="faint">{t.delivery.noBody}</p>;
  return (
    <>
      <CodeBlock text={response_body} label={t.delivery.response} />
      {response_body.length >= 1024 && <p class="hint">{t.delivery.cut}</p>}
    </>
  );
}

/** What the receiver responded, or why there was no response. @param shown the error that the page shows above, which is not repeated */
function Response({ attempt, shown }: { readonly attempt: DeliveryAttempt; readonly shown: string }) {
  const { t } = useWords();
  const { retry_after, duration_ms, start_time, url } = attempt;
  const error = errorText(attempt, t.delivery);
  return (
    <>
      <Facts
        rows={[
          [t.delivery.error, error === shown ? null : error],
          ['Retry-After', retry_after],
          [t.delivery.started, <FullTime key="started" at={start_time} />],
          [t.delivery.took, duration(duration_ms)],
          [t.endpoints.url, <code key="url">{url}</code>],
        ]}
      />
      <ResponseBody attempt={attempt} />
    </>
  );
}

/** What the section needs. */
export interface AttemptsSectionProps {
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The error of the newest attempt that the page shows already; empty for none. */
  readonly shown: string;
}

/** Every attempt with its response, newest first; the newest is open. */
export function AttemptsSection({ attempts, shown }: AttemptsSectionProps) {
  const { t } = useWords();
  return (
    <section class="card" aria-labelledby="attempts">
      <h2 id="attempts">
        {t.delivery.attempts} <span class="count">{attempts.length}</span>
      </h2>
      {attempts.length === 0 && <Empty title={t.delivery.noAttempts} hint={t.delivery.noAttemptsHint} />}
      {attempts.toReversed().map((attempt, index) => (
        <details key={attempt.attempt_id} class="attempt" open={index === 0}>
          <summary>
            <span>{t.delivery.attempt(attempt.attempt_number)}</span>
            <Badge tone={responseTone(attempt.outcome === 'succeeded' ? 200 : null)}>
              {String(attempt.status_code ?? t.deliveries.noResponse)}
            </Badge>
            <span class="attempt-time faint">
              <Time at={attempt.start_time} />
            </span>
          </summary>
          <Response attempt={attempt} shown={index === 0 ? shown : ''} />
        </details>
      ))}
    </section>
  );
}
