import type { ComponentChildren, VNode } from 'preact';

interface MenuItemProps {
  readonly children: ComponentChildren;
  readonly onClick: (event: { readonly currentTarget: Element }) => void;
}

/** An entry of the menu that does something. */
export function MenuItem({ children, onClick }: MenuItemProps): VNode {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onClick}>
      {children}
    </button>
  );
}
