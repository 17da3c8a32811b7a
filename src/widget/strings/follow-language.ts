import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { EmitWidgetEvent, WidgetOptions } from '../options.ts';
import { loadStrings, type Strings } from './catalogue.ts';
import { isRightToLeft } from './fill.ts';
import { pickLocale, selectLanguage } from './select-language.ts';

/** Texts that are at hand. */
export interface LoadedTexts {
  readonly language: string;
  readonly strings: Strings;
}

/** The texts that a panel shows, and what goes with their language. */
export interface Texts {
  /** Language of the texts that are shown. */
  readonly language: ReadonlySignal<string>;
  readonly strings: ReadonlySignal<Strings>;
  readonly direction: ReadonlySignal<'ltr' | 'rtl'>;
  /** For times, numbers and plurals. */
  readonly locale: ReadonlySignal<string>;
  /** Resolves when the texts that were last asked for are shown, or have failed to load. */
  settle(): Promise<void>;
  dispose(): void;
}

/** What a panel begins with: the texts that are wanted, or English where they cannot be fetched. Rejects without both. */
export async function loadFirstTexts(
  { language, strings }: WidgetOptions,
  visitorLanguages: readonly string[],
  load: (language: string) => Promise<Strings> = loadStrings,
): Promise<LoadedTexts> {
  const loadTexts = async (wanted: string): Promise<LoadedTexts> => ({
    language: wanted,
    strings: await load(wanted),
  });
  return loadTexts(selectLanguage([language, ...visitorLanguages], strings)).catch(() => loadTexts('en'));
}

/**
 * Follows the conversation's language, then the option, then the visitor's browser: the first one that there are
 * texts for. What is shown stays until the next has loaded. Each change tries again what did not load before.
 */
export function followLanguage(
  chatLanguage: ReadonlySignal<string | null>,
  options: ReadonlySignal<WidgetOptions>,
  visitorLanguages: readonly string[],
  emit: EmitWidgetEvent,
  first: LoadedTexts,
  load: (language: string) => Promise<Strings> = loadStrings,
): Texts {
  const shown = signal(first);
  const language = computed(() => shown.value.language);
  const strings = computed(() => ({ ...shown.value.strings, ...options.value.strings?.[language.value] }));
  let settled = Promise.resolve();
  let epoch = 0;

  const show = async (wanted: string, mine: number): Promise<void> => {
    if (wanted === shown.peek().language) return;
    try {
      const strings = await load(wanted);
      if (mine === epoch) shown.value = { language: wanted, strings };
    } catch (cause) {
      if (mine !== epoch) return;
      const message = `The texts in "${wanted}" did not load. ${cause}`;
      emit('error', { code: 'STRINGS_NOT_LOADED', message });
    }
  };
  const stop = effect(() => {
    const { language: own, strings } = options.value;
    epoch += 1;
    settled = show(selectLanguage([chatLanguage.value, own, ...visitorLanguages], strings), epoch);
  });

  return {
    language,
    strings,
    direction: computed(() => (isRightToLeft(strings.value.send) ? 'rtl' : 'ltr')),
    locale: computed(() => pickLocale(language.value, visitorLanguages)),
    settle: () => settled,
    dispose() {
      epoch += 1;
      stop();
    },
  };
}
