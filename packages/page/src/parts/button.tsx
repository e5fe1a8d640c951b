import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact';

type ButtonProps = Omit<ButtonHTMLAttributes, 'type' | 'children'> & { readonly text: ComponentChildren };

/** A button that does something on the page; it never submits a form. */
export const Button = ({ text, ...attributes }: ButtonProps) => (
  <button type="button" {...attributes}>
    {text}
  </button>
);

/** A link to another page, in a tab of its own. */
export const TabLink = ({ text, ...attributes }: AnchorHTMLAttributes & { readonly text: ComponentChildren }) => (
  <a target="_blank" rel="noreferrer" {...attributes}>
    {text}
  </a>
);
