import { mount } from '@parcelway/page/parts/mount';
import { App } from './app.tsx';
import { LanguageProvider } from './messages/language.ts';
import { SessionProvider } from './session/session.tsx';

mount('console', LanguageProvider, SessionProvider, App);
