import { ApiFailure } from '@parcelway/page/api/failure';
import { Bar } from '@parcelway/page/parts/shell';
import { SignIn } from '@parcelway/page/parts/sign-in';
import { TabLink } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useWords } from '../messages/language.ts';
import { useSession } from '../session/session.tsx';

/** The bar above everything: whose station it is, the network, the language and the way out. */
export function StationBar({ children }: { readonly children?: ComponentChildren }) {
  const { t } = useWords();
  const { signedIn, signOut } = useSession();
  return (
    <Bar
      environment={signedIn?.client.environment}
      end={<TabLink href="docs/guides/station" text={t.guide} />}
      signOut={signedIn && signOut}
    >
      {signedIn && (
        <span class="warehouse">
          <strong>{signedIn.warehouse.code}</strong> <span class="warehouse-name">{signedIn.warehouse.name}</span>
        </span>
      )}
      {children}
    </Bar>
  );
}

export function SignInView() {
  const { t, sayFailure } = useWords();
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
        <SignIn words={t.signIn} notice={notice} signIn={signIn} isScanned>
          {(failure) =>
            failure !== undefined && (
              <p class="say say-bad" role="alert">
                {failure instanceof ApiFailure ? sayFailure(failure) : t.failures.storage}
              </p>
            )
          }
        </SignIn>
      </main>
    </>
  );
}
