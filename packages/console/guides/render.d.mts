/** Renders a document of docs/ as the body of a page. @throws Error on HTML in the document */
export function renderGuide(
  markdown: string,
  hrefOf: (target: string) => string | undefined,
): { readonly title: string; readonly html: string };
