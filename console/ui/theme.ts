import { computed, effect, type Signal, signal } from '@preact/signals';

/** Colours to choose from. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'natter-console-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(dark.matches);
const forced = matchMedia('(forced-colors: active)');

/** Whether the system sets the colours in place of the page. */
export const isForced: Signal<boolean> = signal(forced.matches);

/** The colours that the person has chosen. */
const theme = signal<Theme>(readTheme());

/** Whether the page is dark now. */
export const isDark = computed(() =>
  theme.value === 'system' ? isSystemDark.value : theme.value === 'dark',
);

/** Follows the choice, and the system where that is the choice. */
export function startTheme(): void {
  dark.addEventListener('change', () => {
    isSystemDark.value = dark.matches;
  });
  forced.addEventListener('change', () => {
    isForced.value = forced.matches;
  });
  effect(() => {
    document.body.dataset['theme'] = isDark.value ? 'dark' : 'light';
  });
}

export function setTheme(next: Theme): void {
  theme.value = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Where the browser keeps nothing for this site, the choice lasts as long as the page.
  }
}

function readTheme(): Theme {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // The browser keeps nothing for this site.
  }
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
