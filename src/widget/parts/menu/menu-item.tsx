import type { ComponentChildren, VNode } from 'preact';

interface MenuItemProps {
  readonly children: ComponentChildren;
  readonly className?: string;
  readonly onClick: (event: { readonly currentTarget: Element }) => void;
}

/** An entry of the menu that does something. */
export function MenuItem({ children, className, onClick }: MenuItemProps): VNode {
  return (
    <button type="button" role="menuitem" class={className} tabIndex={-1} onClick={onClick}>
      {children}
    </button>
  );
}
