import type { ComponentChildren } from 'preact';
import { hrefOf, navigate } from './router.ts';

interface LinkProps {
  /** A path within the console. */
  to: string;
  children: ComponentChildren;
  class?: string | undefined;
  title?: string | undefined;
  'aria-current'?: 'page' | undefined;
}

/** A link to another view. The browser opens it in a new tab as any other. */
export function Link({ to, children, ...rest }: LinkProps) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={hrefOf(to)} onClick={open} {...rest}>
      {children}
    </a>
  );
}

/** A link from stored text: only http and https, else the text alone. */
export function OutsideLink({ href }: { href: string }) {
  const isWeb = /^https?:\/\//i.test(href);
  return isWeb ? (
    <a href={href} rel="noreferrer noopener" target="_blank" dir="auto">
      {href}
    </a>
  ) : (
    <span dir="auto">{href}</span>
  );
}
