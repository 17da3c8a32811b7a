/** The timeline of one conversation, for troubleshooting. */
export { findSubject } from './find-subject.ts';
export { lifeView } from './life.ts';
export { SESSION_COMMANDS, type SessionOptions } from './manage-session.ts';
export { readLife } from './read-life.ts';
