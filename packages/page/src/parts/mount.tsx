import { type ComponentType, render } from 'preact';
import { Announcer } from './announce.tsx';

type Around = ComponentType<{ readonly children: preact.ComponentChildren }>;

export function mount(id: string, LanguageProvider: Around, SessionProvider: Around, App: ComponentType): void {
  const place = document.getElementById(id);
  if (place === null) throw new Error(`The document has no element for ${id}`);
  const app = (
    <SessionProvider>
      <App />
    </SessionProvider>
  );
  render(
    <LanguageProvider>
      <Announcer>{app}</Announcer>
    </LanguageProvider>,
    place,
  );
}
