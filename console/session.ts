import { computed, signal } from '@preact/signals';
import type { ConsoleMe } from '../server-platform/src/console-api/index.ts';
import { CallError, callConsole, callDesk } from './call-platform.ts';

/** Roles of people, the least powerful first. */
export const ROLES = ['agent', 'supervisor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The person who is signed in. */
export type Me = ConsoleMe['me'];

/** A project of the account. */
export type Project = ConsoleMe['projects'][number];

const RETRY_MS = 2_000;

/** Undefined until the first response; null when signed out. */
export const me = signal<Me | null | undefined>(undefined);
export const account = signal<ConsoleMe['account'] | null>(null);
export const projects = signal<readonly Project[]>([]);
/** Whether people can take conversations over here. */
export const hasDesk = signal(false);
/** Address of this installation's token proxy, as the platform knows it; null: it does not. */
export const tokenProxyUrl = signal<string | null>(null);
/** Why the first call has failed; null when it has not. */
export const startProblem = signal<string | null>(null);
/** Offers and unread conversations at the desk, once that has been opened. */
export const deskWaiting = signal(0);
/** Text for screen readers. */
export const announcement = signal('');

const signOutListeners = new Set<() => void>();

/** Calls a function whenever the person has signed out, or the sign-in has ended. */
export function onSignedOut(listener: () => void): void {
  signOutListeners.add(listener);
}

/** Whether the person has a role, or one above it. */
export function hasRole(role: Role): boolean {
  const person = me.value;
  return person !== null && person !== undefined && ROLES.indexOf(person.role) >= ROLES.indexOf(role);
}

export const isAdmin = computed(() => hasRole('admin'));

/** Loads who is signed in, and retries until the platform answers. */
export async function startSession(): Promise<void> {
  try {
    takeMe(await callConsole<ConsoleMe>('GET', '/me'));
  } catch (error) {
    if (error instanceof CallError && error.status === 401) {
      me.value = null;
      return;
    }
    startProblem.value = error instanceof Error ? error.message : String(error);
    setTimeout(() => void startSession(), RETRY_MS);
  }
}

/** Signs in; `account` is for people in several accounts. */
export async function signIn(email: string, password: string, account: string | null): Promise<void> {
  await callDesk('POST', '/sign-in', { email, password, ...(account !== null && { account }) });
  takeMe(await callConsole<ConsoleMe>('GET', '/me'));
}

export async function signOut(): Promise<void> {
  try {
    await callDesk('POST', '/sign-out', {});
  } catch (error) {
    if (!(error instanceof CallError && error.status === 401)) throw error;
  }
  endSession();
}

/** Ends the sign-in, and discards all data that it has shown. */
export function endSession(): void {
  if (me.value === null) return;
  me.value = null;
  account.value = null;
  projects.value = [];
  deskWaiting.value = 0;
  for (const listener of signOutListeners) listener();
}

function takeMe(answer: ConsoleMe): void {
  startProblem.value = null;
  account.value = answer.account;
  projects.value = answer.projects;
  hasDesk.value = answer.has_desk;
  tokenProxyUrl.value = answer.token_proxy_url;
  me.value = answer.me;
}
