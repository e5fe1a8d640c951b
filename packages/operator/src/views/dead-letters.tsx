import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import { useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Heading, LoadedTable, Refresh, Time } from '../parts.tsx';
import { useClient, useMay } from '../session.tsx';
import { goTo } from '../use-route.ts';

const SHOWN = 100;

export function DeadLettersView({ topic: named }: { readonly topic: string }) {
  const { t } = useWords();
  const client = useClient();
  const mayRedrive = useMay('support');
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const topic = consumedTopics.find((one) => one === named) ?? String(consumedTopics[0]);
  const loaded = useLoad(`dead letters ${topic}`, (signal) =>
    client.call<{ dead_letters: DeadLetterView[] }>('/admin/v1/dead-letters', { query: { topic, limit: SHOWN + 1 }, signal }),
  );
  const redrive = async (): Promise<void> => {
    const path = '/admin/v1/dead-letters/redrive';
    const done = await client.call<{ redriven: number; passed_over: number }>(path, { method: 'POST', body: { topic } });
    setAsked(false);
    announce(t.deadLetters.redriven(done.redriven, done.passed_over));
    loaded.reload();
  };
  const hasSome = (loaded.data?.dead_letters.length ?? 0) > 0;
  return (
    <>
      <Heading
        title={t.deadLetters.title}
        actions={
          <>
            <Refresh loaded={loaded} />
            {mayRedrive && hasSome && <Button class="primary" onClick={() => setAsked(true)} text={t.deadLetters.redrive} />}
          </>
        }
      />
      <div class="filters">
        <select
          aria-label={t.deadLetters.topic}
          value={topic}
          onChange={(event) => goTo({ view: 'dead-letters', topic: event.currentTarget.value })}
        >
          {consumedTopics.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ dead_letters: found }) => found.slice(0, SHOWN)}
        caption={t.deadLetters.title}
        idOf={({ partition, offset }) => `${partition}:${offset}`}
        none={t.deadLetters.none}
        note={({ dead_letters: found }) => found.length > SHOWN && t.deadLetters.some}
        columns={[
          { head: t.deadLetters.position, cell: ({ partition, offset }) => `${partition}:${offset}` },
          { head: t.deadLetters.group, cell: ({ group }) => group },
          { head: t.deadLetters.reason, cell: ({ reason }) => reason },
          { head: t.deadLetters.failed, kind: 'wide', cell: ({ failed_at }) => <Time at={failed_at} /> },
        ]}
      />
      {asked && (
        <ConfirmDialog
          title={t.deadLetters.redriveTitle}
          text={t.deadLetters.redriveText(topic)}
          submit={t.deadLetters.redrive}
          onSubmit={redrive}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
