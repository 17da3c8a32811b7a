// Rows between messages, and the queue line. Loaded with the first of them.

export { HandoffCard } from './handoff-card.tsx';
export { default as css } from './notices.css?inline';
export { QueueLine } from './queue-line.tsx';
export { formatQueueStatus, selectNoticeText } from './select-notice.ts';
export { SystemRow } from './system-row.tsx';
