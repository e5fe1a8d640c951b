/**
 * How a page is built: one document into `dist/page`, and assets under names that hold their hash.
 * @param {string} name its path at the gateway, such as `console`
 * @returns {import('vite').UserConfig}
 */
export function pageConfig(name) {
  return {
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
      // Relative to the page, so that it works under whatever prefix a proxy puts in front.
      renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `${name}/${file}` : { relative: true }),
    },
  };
}
