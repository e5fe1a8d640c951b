import { asFailure } from '@parcelway/page/api/failure';
import { SignIn } from '@parcelway/page/parts/sign-in';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from '../parts/forms.tsx';
import { useSession } from '../session/session.tsx';

export function SignInView() {
  const { t } = useWords();
  const { goneBecause, signIn } = useSession();
  const notice = goneBecause !== undefined && (
    <p class="notice notice-wait" role="alert">
      {t.signIn[goneBecause]}
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
