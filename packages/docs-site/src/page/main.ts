import { startLanguage, startSampleLanguage } from './choices.ts';
import { fillInBaseUrl, startCopying } from './code.ts';
import { startSearch } from './search-dialog.ts';
import { startTrying } from './try-it.ts';

// What the pages do beyond being read. Each of these is at rest where a page has nothing for it.

document.documentElement.dataset['script'] = 'on';
startLanguage();
startSampleLanguage();
fillInBaseUrl();
startCopying();
startSearch();
startTrying();
