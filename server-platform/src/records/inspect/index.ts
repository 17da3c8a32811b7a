/** The timeline of one conversation, for troubleshooting. */
export { findSubject } from './find-subject.ts';
export { SESSION_COMMANDS, type SessionOptions } from './manage-session.ts';
export { readTimeline } from './read-timeline.ts';
export { timelineSchema } from './timeline.ts';
