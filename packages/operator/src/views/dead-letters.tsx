import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import { fill } from '@parcelway/page/languages';
import { useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { LoadedTable, Time } from '../parts.tsx';
import { goTo } from '../route.ts';
import { useClient, useGet, useMay } from '../session.tsx';

const SHOWN = 100;
const PATH = '/admin/v1/dead-letters';

export function DeadLettersView({ topic: named }: { readonly topic: string }) {
  const { t } = useWords();
  const client = useClient();
  const mayRedrive = useMay('support');
  const [dialog, ask] = useAsk();
  const topic = consumedTopics.find((one) => one === named) ?? String(consumedTopics[0]);
  const loaded = useGet<{ dead_letters: DeadLetterView[] }>(PATH, { topic, limit: SHOWN + 1 });
  const redrive = {
    title: t.deadLetters.redriveTitle,
    text: fill(t.deadLetters.redriveText, topic),
    submit: t.deadLetters.redrive,
    run: async () => {
      const call = { method: 'POST', body: { topic } } as const;
      const { redriven, passed_over } = await client.call<{ redriven: number; passed_over: number }>(`${PATH}/redrive`, call);
      loaded.reload();
      return fill(t.deadLetters.redriven, redriven, passed_over);
    },
  };
  const hasSome = (loaded.data?.dead_letters.length ?? 0) > 0;
  return (
    <>
      <PageHeading
        title={t.nav['dead-letters']}
        actions={
          <>
            <Refresh loaded={loaded} />
            {mayRedrive && hasSome && <Button class="primary" onClick={() => ask(redrive)} text={t.deadLetters.redrive} />}
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
        caption={t.nav['dead-letters']}
        idOf={({ partition, offset }) => `${partition}:${offset}`}
        none={t.deadLetters.none}
        note={({ dead_letters: found }) => found.length > SHOWN && t.deadLetters.some}
        columns={[
          { head: t.deadLetters.position, cell: ({ partition, offset }) => `${partition}:${offset}` },
          { head: t.deadLetters.group, cell: ({ group }) => group },
          { head: t.common.reason, cell: ({ reason }) => reason },
          { head: t.deadLetters.failed, kind: 'wide', cell: ({ failed_at }) => <Time at={failed_at} /> },
        ]}
      />
      {dialog}
    </>
  );
}
