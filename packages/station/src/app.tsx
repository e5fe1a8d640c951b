import { useSession } from './session/session.tsx';
import { SignInView } from './views/sign-in-view.tsx';
import { StationView } from './views/station-view.tsx';

/** The page: the form that asks for a key, and behind it the bench. */
export function App() {
  const { signedIn } = useSession();
  return signedIn === undefined ? <SignInView /> : <StationView key={signedIn.warehouse.code} signedIn={signedIn} />;
}
