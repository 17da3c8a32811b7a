// What can be done with the conversation as a whole: fetched when the pointer or the focus comes to the menu's button.
export { ConfirmEnd } from './confirm-end.tsx';
export { default as css } from './menu.css?inline';
export { MenuList } from './menu-list.tsx';
