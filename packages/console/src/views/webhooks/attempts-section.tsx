import type { DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import { duration } from '../../format/time.ts';
import { useWords } from '../../messages/language.tsx';
import { answerTone, Badge } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FullTime, Time } from '../../parts/time.tsx';
import { errorText } from './attempt-error.ts';

/** What the receiver answered, or why there was no answer. */
function Answer({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { t } = useWords();
  const { status_code, retry_after, response_body, duration_ms, start_time, url } = attempt;
  return (
    <>
      <Facts
        rows={[
          [t.delivery.error, errorText(attempt, t.delivery)],
          ['Retry-After', retry_after],
          [t.delivery.started, <FullTime key="started" at={start_time} />],
          [t.delivery.took, duration(duration_ms)],
          [t.endpoints.url, <code key="url">{url}</code>],
        ]}
      />
      {response_body ? (
        <>
          <CodeBlock text={response_body} label={t.delivery.answer} />
          {response_body.length >= 1024 && <p class="hint">{t.delivery.cut}</p>}
        </>
      ) : (
        <p class="faint">{status_code === null ? t.delivery.noAnswer : t.delivery.noBody}</p>
      )}
    </>
  );
}

/** Every attempt with its answer, newest first; the newest is open. */
export function AttemptsSection({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
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
            <Badge tone={answerTone(attempt.outcome === 'succeeded' ? 200 : null)}>
              {String(attempt.status_code ?? t.deliveries.noAnswer)}
            </Badge>
            <span class="attempt-time faint">
              <Time at={attempt.start_time} />
            </span>
          </summary>
          <Answer attempt={attempt} />
        </details>
      ))}
    </section>
  );
}
