import { type ComponentType, render } from 'preact';
import { Announcer } from './announce.tsx';

type Provider = ComponentType<{ readonly children: preact.ComponentChildren }>;

/** Renders a page. @param id of the element that it fills @throws Error when the document lacks the element */
export function mount(id: string, LanguageProvider: Provider, SessionProvider: Provider, App: ComponentType): void {
  const place = document.getElementById(id);
  if (place === null) throw new Error(`The document has no element with the id ${id}`);
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
