import { render } from 'preact';
import { App } from './app.tsx';
import { LanguageProvider } from './messages/language.ts';
import { SessionProvider } from './session/session.tsx';

const place = document.getElementById('station');
if (place === null) throw new Error('The document has no element for the station');
render(
  <LanguageProvider>
    <SessionProvider>
      <App />
    </SessionProvider>
  </LanguageProvider>,
  place,
);
