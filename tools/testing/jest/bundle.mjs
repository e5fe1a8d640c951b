/**
 * Bundles the programs that scenarios start, when a source has changed; once, before them. Jest calls it.
 * @public
 */
export default () => import('../../build/dist/programs-main.js');
