// What a conversation can do without for a while: fetched when somebody first needs some of it, or has begun to write.
export { Aside } from './aside.tsx';
export { attend } from './attend.ts';
export { CallActions } from './call-actions.tsx';
export { CardList } from './card-list.tsx';
export { ConfirmEnd } from './confirm-end.tsx';
export { CopyButton } from './copy-button.tsx';
export { CopyText } from './copy-text.tsx';
export { EndedBar } from './ended-bar.tsx';
export { default as css } from './extras.css?inline';
export { MenuList } from './menu-list.tsx';
export { QueueLine } from './queue-line.tsx';
export { readBack } from './read-back.ts';
export { selectNoticeText, selectQueueText } from './select-notice.ts';
export { TimeOf } from './time-of.tsx';
