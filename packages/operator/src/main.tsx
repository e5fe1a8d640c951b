import { Announcer } from '@parcelway/page/parts/announce';
import { render } from 'preact';
import { App } from './app.tsx';
import { LanguageProvider } from './messages/language.ts';
import { SessionProvider } from './session.tsx';

const place = document.getElementById('operator');
if (place === null) throw new Error('The document has no element for the page');
render(
  <LanguageProvider>
    <Announcer>
      <SessionProvider>
        <App />
      </SessionProvider>
    </Announcer>
  </LanguageProvider>,
  place,
);
