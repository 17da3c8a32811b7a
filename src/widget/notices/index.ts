// What stands between the messages, a hand-off's lines above all: fetched when there is something to say.

export { default as css } from './notices.css?inline';
export { QueueLine } from './queue-line.tsx';
export { formatQueueStatus, selectNoticeText } from './select-notice.ts';
export { SystemRow } from './system-row.tsx';
