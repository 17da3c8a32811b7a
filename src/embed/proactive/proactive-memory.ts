import { SITE_MESSAGES_KEY } from '../../widget/index.ts';

/** The stored state of proactive messages. Where the browser forbids storage, it lasts as long as the page. */
export interface ProactiveMemory {
  /** The message that was shown in this tab session, and the panel's language then; null: none was. */
  shown(): { readonly id: string; readonly language: string } | null;
  noteShown(id: string, language: string): void;
  isDismissed(id: string): boolean;
  noteDismissed(id: string): void;
  /** Counts a visit, once per tab session, and returns the number of visits. */
  countVisit(): number;
}

const SESSION_KEY = SITE_MESSAGES_KEY;
const DISMISSED_KEY = `${SITE_MESSAGES_KEY}-dismissed`;
const VISITS_KEY = `${SITE_MESSAGES_KEY}-visits`;
const MAX_DISMISSED = 100;
const MAX_VISITS = 1_000;

/** For browsers without storage, and for the rest of the page where it is full. */
const pageMemory = new Map<string, string>();

function read(find: () => Storage, key: string): string | null {
  try {
    return pageMemory.get(key) ?? find().getItem(key);
  } catch {
    return null;
  }
}

function write(find: () => Storage, key: string, value: string): void {
  try {
    find().setItem(key, value);
    pageMemory.delete(key);
  } catch {
    pageMemory.set(key, value);
  }
}

// Where storage is blocked, naming it throws.
const session = (): Storage => sessionStorage;
const local = (): Storage => localStorage;

/** Returns the ids of dismissed rules; none if the stored value is invalid. */
function readDismissed(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(read(local, DISMISSED_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const proactiveMemory: ProactiveMemory = {
  shown() {
    const [state, id = '', language = ''] = read(session, SESSION_KEY)?.split(' ') ?? [];
    return state === 'shown' ? { id, language } : null;
  },
  noteShown: (id, language) => write(session, SESSION_KEY, `shown ${id} ${language}`),
  isDismissed: (id) => readDismissed().includes(id),
  noteDismissed(id) {
    const ids = [...readDismissed().filter((other) => other !== id), id];
    write(local, DISMISSED_KEY, JSON.stringify(ids.slice(-MAX_DISMISSED)));
  },
  countVisit() {
    const stored = Number(read(local, VISITS_KEY));
    const before = Number.isInteger(stored) && stored > 0 ? Math.min(stored, MAX_VISITS) : 0;
    if (before > 0 && read(session, SESSION_KEY) !== null) return before;
    const visits = Math.min(before + 1, MAX_VISITS);
    write(local, VISITS_KEY, `${visits}`);
    if (read(session, SESSION_KEY) === null) write(session, SESSION_KEY, 'counted');
    return visits;
  },
};
