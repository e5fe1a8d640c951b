import type { KeyChange, KeyCreated, KeyCreation, KeyRotated, TenantKey } from '@parcelway/contracts/key-api';
import { type FileClient, pathOf, RequestKeys } from '@parcelway/page/api/client';
import { faultsAt } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import type { Question, Typed } from '@parcelway/page/parts/form-dialog';
import { useRef } from 'preact/hooks';
import { KEYS } from '../../api/account.ts';
import { changeIn, creationIn, valuesIn } from '../../data/body.ts';
import { absoluteTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Checks, SelectField, TextField } from '../../parts/forms.tsx';
import { useKeyQuestion } from '../../session/notices.tsx';
import { useClient, useSession } from '../../session/session.tsx';
import {
  type KeyValues,
  keyFields,
  nameOf,
  offeredScopes,
  othersThatWork,
  overlaps,
  type TenantScope,
  unknownFormer,
} from './key-values.ts';

function KeyForm({ values, change, failure, offered }: Typed<KeyValues> & { readonly offered: readonly TenantScope[] }) {
  const { t } = useWords();
  const field = bound(values, change, failure);
  const optional = t.common.optional;
  return (
    <>
      <TextField {...field('description')} label={t.keys.description} hint={t.keys.descriptionHint} required maxLength={100} />
      <Checks
        legend={t.keys.scopes}
        options={offered.map((scope) => [scope, t.keys.scopeMeanings[scope]])}
        chosen={values.scopes}
        faults={faultsAt(failure, 'scopes')}
        onChange={(scopes) => change({ scopes })}
      />
      <TextField {...field('expires_at')} {...{ optional }} label={t.keys.expires} hint={t.keys.expiresHint} type="datetime-local" />
      <TextField {...field('allowed_addresses')} {...{ optional }} label={t.keys.addresses} hint={t.keys.addressesHint} rows={3} />
    </>
  );
}

interface ListProps {
  readonly keys: readonly TenantKey[];
  /** True when there are keys that are not loaded. */
  readonly hasMore: boolean;
}

/** Which key it is, and the keys of the same rotation that still work: somebody who ends one may mean both. */
function Revoked({ subject, keys, hasMore }: ListProps & { readonly subject: TenantKey }) {
  const { t, locale } = useWords();
  const others = othersThatWork(subject, keys);
  const unknown = hasMore ? unknownFormer(subject, keys) : undefined;
  return (
    <>
      <p>
        {subject.description} <code>{subject.prefix}…</code>
      </p>
      {(others.length > 0 || unknown !== undefined) && (
        <div class="notice">
          <p>{t.keys.othersWork}</p>
          <ul>
            {others.map(({ key_id, prefix, description, expires_at }) => (
              <li key={key_id}>
                {description} <code>{prefix}…</code> ·{' '}
                {expires_at === null ? t.keys.worksForever : fill(t.keys.workUntil, absoluteTime(Date.parse(expires_at), locale))}
              </li>
            ))}
            {unknown !== undefined && (
              <li>
                <code class="id">{unknown}</code> · {t.keys.notLoaded}
              </li>
            )}
          </ul>
        </div>
      )}
    </>
  );
}

interface KeyQuestionsProps extends ListProps {
  /** Called when a key was made, changed or revoked. */
  readonly onChange: () => void;
  /** Called when somebody has seen a new key. @param note what becomes of the one that it replaces */
  readonly onSeen: (keyId: string, note: string | undefined) => void;
}

/** How keys are made: with the key itself, each request once, and the new one shown once. */
function useMaking({ onChange, onSeen }: Pick<KeyQuestionsProps, 'onChange' | 'onSeen'>) {
  const { t } = useWords();
  const { keyClient } = useSession();
  const keyQuestion = useKeyQuestion();
  const { current: requests } = useRef(new RequestKeys());
  const withKey = <Asked extends object>(question: (keys: FileClient) => Question<Asked>): Question<object> =>
    keyClient === undefined ? (keyQuestion(t.session.forKeys, question) as Question<object>) : question(keyClient);
  const made = ({ key_id, key }: Pick<KeyCreated, 'key_id' | 'key'>, note?: string) => {
    onChange();
    return { title: t.keys.shownTitle, once: t.keys.once, secret: key, what: t.signIn.key, note, onSaved: () => onSeen(key_id, note) };
  };
  return { requests, withKey, made };
}

/** The questions with a form: for a new key, and for a change. Both take the key itself. */
export function useKeyForms({ onChange, onSeen }: KeyQuestionsProps) {
  const { t } = useWords();
  const { access } = useSession();
  const { requests, withKey, made } = useMaking({ onChange, onSeen });
  const form = (subject?: TenantKey) => ({
    noValidate: true,
    shownAtFields: Object.keys(keyFields),
    first: valuesIn(keyFields, subject),
    draw: (typed: Typed<KeyValues>) => <KeyForm {...typed} offered={offeredScopes(access?.key.scopes ?? [], subject?.scopes)} />,
  });
  return {
    create: () =>
      withKey((keys) => ({
        ...form(),
        title: t.keys.create,
        submit: t.keys.create,
        async run(values) {
          const body = creationIn<KeyCreation>(keyFields, values);
          const send = (idempotencyKey: string) => keys.call<KeyCreated>(KEYS, { method: 'POST', body, idempotencyKey });
          return made(await requests.send(JSON.stringify(body), send));
        },
      })),
    change: (subject: TenantKey) =>
      withKey((keys) => ({
        ...form(subject),
        title: fill(t.keys.changeTitle, nameOf(subject)),
        submit: t.common.save,
        async run(values) {
          const body = changeIn<KeyChange>(keyFields, values, subject);
          if (Object.keys(body).length > 0) await keys.call(pathOf(`${KEYS}/{key_id}`, subject.key_id), { method: 'PATCH', body });
          onChange();
          return t.common.saved;
        },
      })),
  };
}

/** The questions before a key ends, now or later. Revoking takes a session alone: it only ends what is there. */
export function useKeyEnds({ onChange, onSeen, ...list }: KeyQuestionsProps) {
  const { t, locale } = useWords();
  const client = useClient();
  const { access } = useSession();
  const { requests, withKey, made } = useMaking({ onChange, onSeen });
  const isOwn = ({ key_id }: TenantKey): boolean => key_id === access?.key.key_id;
  return {
    rotate: (subject: TenantKey) =>
      withKey<{ readonly overlap_seconds: number }>((keys) => ({
        isQuestion: true,
        title: t.keys.rotateTitle,
        text: isOwn(subject) ? `${t.keys.rotateText} ${t.keys.rotateOwn}` : t.keys.rotateText,
        submit: t.keys.rotate,
        first: { overlap_seconds: overlaps[0] },
        draw: ({ values, change }) => (
          <SelectField
            label={t.keys.overlap}
            value={String(values.overlap_seconds)}
            options={overlaps.map((seconds) => [String(seconds), t.keys.overlaps[seconds] ?? ''])}
            onValue={(seconds) => change({ overlap_seconds: Number(seconds) })}
          />
        ),
        isDanger: ({ overlap_seconds }) => overlap_seconds === 0,
        async run(body) {
          const path = pathOf(`${KEYS}/{key_id}/rotate`, subject.key_id);
          const rotated = await requests.send(`${subject.key_id} ${body.overlap_seconds}`, (idempotencyKey) =>
            keys.call<KeyRotated>(path, { method: 'POST', body, idempotencyKey }),
          );
          const sign = `${subject.prefix}…`;
          const end = absoluteTime(Date.parse(rotated.former_expires_at), locale);
          return made(rotated, body.overlap_seconds === 0 ? fill(t.keys.formerEnded, sign) : fill(t.keys.formerUntil, sign, end));
        },
      })),
    revoke: (subject: TenantKey): Question<object> => ({
      isQuestion: true,
      title: fill(t.keys.revokeTitle, nameOf(subject)),
      text: isOwn(subject) ? `${t.keys.revokeText} ${t.keys.revokeOwn}` : t.keys.revokeText,
      submit: t.keys.revoke,
      danger: true,
      draw: () => <Revoked subject={subject} {...list} />,
      async run() {
        await client.call(pathOf(`${KEYS}/{key_id}/revoke`, subject.key_id), { method: 'POST' });
        onChange();
        return t.keys.revoked;
      },
    }),
  };
}
