import { ApiFailure } from '@parcelway/page/api/failure';
import { Brand } from '@parcelway/page/parts/brand';
import { Button, TabLink } from '@parcelway/page/parts/button';
import { LanguageSwitch } from '@parcelway/page/parts/language';
import { SignIn } from '@parcelway/page/parts/sign-in';
import type { ComponentChildren } from 'preact';
import { failureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import { useSession } from '../session/session.tsx';

/** The bar above everything: whose station it is, the network, the language and the way out. */
export function StationBar({ children }: { readonly children?: ComponentChildren }) {
  const { t, language, choose } = useWords();
  const { signedIn, signOut } = useSession();
  return (
    <header class="bar">
      <div class="bar-inside">
        <Brand />
        {signedIn && (
          <span class={`environment environment-${signedIn.client.environment}`}>{t.environments[signedIn.client.environment]}</span>
        )}
        {signedIn && (
          <span class="warehouse">
            <strong>{signedIn.warehouse.code}</strong> <span class="warehouse-name">{signedIn.warehouse.name}</span>
          </span>
        )}
        {children}
        <span class="bar-end">
          <TabLink href="docs/guides/station" text={t.guide} />
          <LanguageSwitch label={t.language} language={language} choose={choose} />
          {signedIn && <Button onClick={signOut} text={t.signOut} />}
        </span>
      </div>
    </header>
  );
}

export function SignInView() {
  const { t } = useWords();
  const { refused, signIn } = useSession();
  const notice = refused && (
    <p class="say say-bad" role="alert">
      {t.signIn.refused}
    </p>
  );
  return (
    <>
      <StationBar />
      <main class="sign-in">
        <SignIn words={t.signIn} working={t.signIn.working} notice={notice} signIn={signIn} isScanned>
          {(failure) =>
            failure !== undefined && (
              <p class="say say-bad" role="alert">
                {failure instanceof ApiFailure ? failureText(failure, t.failures) : t.failures.storage}
              </p>
            )
          }
        </SignIn>
      </main>
    </>
  );
}
