import { mount } from '@parcelway/page/parts/mount';
import { App } from './app.tsx';
import { LanguageProvider } from './messages/language.ts';
import { SessionProvider } from './session.tsx';

mount('operator', LanguageProvider, SessionProvider, App);
