import type { Speaker } from '../client/index.ts';

/**
 * Returns true for a script that plays a person: the desk for development gives such persons these ids
 * (docs/platform.md).
 */
export const isDemonstration = (speaker: Speaker | null): boolean => /^scripted-/.test(speaker?.id ?? '');
