import { asFailure } from '@parcelway/page/api/failure';
import { SignIn } from '@parcelway/page/parts/sign-in';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from '../parts.tsx';
import { useSession } from '../session.tsx';

export function SignInView() {
  const { t } = useWords();
  const { refused, signIn } = useSession();
  const notice = refused && (
    <p class="notice" role="alert">
      {t.signIn.refused}
    </p>
  );
  return (
    <div class="sign-in">
      <SignIn words={t.signIn} working={t.common.working} notice={notice} signIn={signIn}>
        {(failure) => <FailureNotice failure={failure === undefined ? undefined : asFailure(failure)} />}
      </SignIn>
    </div>
  );
}
