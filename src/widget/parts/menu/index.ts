// The menu and the confirmation before a chat ends. Loaded when the pointer or the focus is on the menu button.
export { ConfirmEnd } from './confirm-end.tsx';
export { default as css } from './menu.css?inline';
export { MenuList } from './menu-list.tsx';
