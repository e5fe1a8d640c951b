import { startLanguage, startSampleLanguage } from './choices.ts';
import { startSearch } from './search-dialog.ts';
import { fillInBaseUrl, startCopying, startTrying } from './try-it.ts';

// What the pages do beyond being read. Each of these is at rest where a page has nothing for it.

document.documentElement.dataset['script'] = 'on';
startLanguage();
startSampleLanguage();
fillInBaseUrl();
startCopying();
startSearch();
startTrying();
