import type { Speaker } from '../client/index.ts';

/** True for a script that plays a person: the platform's desk for development gives its persons such ids (docs/platform.md). */
export const isDemonstration = (speaker: Speaker | null): boolean => /^scripted-/.test(speaker?.id ?? '');
