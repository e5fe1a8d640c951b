// What the pages do beyond being read. Each of these is at rest where a page has nothing for it.
import { fillInBaseUrl } from './base-url.ts';
import { startCopying } from './copy-code.ts';
import { startLanguage } from './language.ts';
import { startSampleLanguage } from './sample-language.ts';
import { startSearch } from './search-dialog.ts';
import { startTrying } from './try-it.ts';

document.documentElement.dataset['script'] = 'on';
startLanguage();
startSampleLanguage();
fillInBaseUrl();
startCopying();
startSearch();
startTrying();
