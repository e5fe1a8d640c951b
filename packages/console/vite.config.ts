import { defineConfig } from 'vite';

/** Builds the page to `dist/page`: one document, and assets under names that hold their hash. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy allows no inline script, no inline style and no data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What is bundled asks for its licence to go with it.
    license: { fileName: 'licenses.md' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  experimental: {
    // Relative to /console, so that the page works under whatever prefix a proxy puts in front.
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `console/${file}` : { relative: true }),
  },
});
