import { mount } from '@parcelway/page/parts/mount';
import { LanguageProvider } from './messages/language.ts';
import { SessionProvider, useSession } from './session/session.tsx';
import { SignInView } from './views/sign-in-view.tsx';
import { StationView } from './views/station-view.tsx';

/** The page: sign-in, then the bench. */
function App() {
  const { signedIn } = useSession();
  return signedIn === undefined ? <SignInView /> : <StationView key={signedIn.warehouse.code} signedIn={signedIn} />;
}

mount('station', LanguageProvider, SessionProvider, App);
