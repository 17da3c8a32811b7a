import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { EmitWidgetEvent, WidgetOptions } from '../options.ts';
import type { Terms } from '../panel/load-terms.ts';
import { type ByLanguage, loadStrings, type PartTexts, type Strings } from './catalogue.ts';
import { isRightToLeft } from './fill.ts';
import { pickLocale, selectLanguage } from './select-language.ts';

/** Texts that have loaded. */
export interface LoadedTexts {
  readonly language: string;
  readonly strings: Strings;
}

/** The texts of a panel, with the settings of their language. */
export interface Texts {
  /** Language of the current texts. */
  readonly language: ReadonlySignal<string>;
  /** Without the texts of parts. */
  readonly strings: ReadonlySignal<Strings>;
  readonly direction: ReadonlySignal<'ltr' | 'rtl'>;
  /** For times, numbers and plurals. */
  readonly locale: ReadonlySignal<string>;
  /**
   * Returns the texts of a part: the site's own, else the widget's, else the English ones. `all` has the widget's, by
   * language.
   */
  partTexts<Part extends keyof PartTexts>(part: Part, all: ByLanguage<PartTexts[Part]>): PartTexts[Part];
  /** Resolves when the texts requested last are shown, or could not be loaded. */
  settle(): Promise<void>;
  dispose(): void;
}

/** Loads the first texts of a panel, or the English ones if that fails. Rejects if both fail. */
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
 * Keeps the texts in the conversation's language, else that of the option, else that of the browser: the first with texts.
 * The current texts stay until the next ones have loaded. Each change retries texts that could not be loaded. The terms
 * have the site's own wording.
 */
export function followLanguage(
  chatLanguage: ReadonlySignal<string | null>,
  options: ReadonlySignal<WidgetOptions>,
  terms: ReadonlySignal<Pick<Terms, 'reword'> | null>,
  visitorLanguages: readonly string[],
  emit: EmitWidgetEvent,
  first: LoadedTexts,
  load: (language: string) => Promise<Strings> = loadStrings,
): Texts {
  const shown = signal(first);
  const language = computed(() => shown.value.language);
  const reword = <Texts extends object>(texts: Texts, part?: keyof PartTexts): Texts =>
    terms.value?.reword(texts, language.value, part) ?? texts;
  const strings = computed(() => reword(shown.value.strings));
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
    partTexts: (part, all) => reword(all[language.value] ?? all.en, part),
    direction: computed(() => (isRightToLeft(strings.value.send) ? 'rtl' : 'ltr')),
    locale: computed(() => pickLocale(language.value, visitorLanguages)),
    settle: () => settled,
    dispose() {
      epoch += 1;
      stop();
    },
  };
}
