/** The timeline of one conversation, for troubleshooting. */
export { findSubject } from './find-subject.ts';
export { timelineSchema } from './life.ts';
export { SESSION_COMMANDS, type SessionOptions } from './manage-session.ts';
export { readTimeline } from './read-life.ts';
