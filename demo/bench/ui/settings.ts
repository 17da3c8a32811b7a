import type { WidgetLink } from './widget-link.ts';

/** Names of the ready themes, whose style sheets the demo site serves. */
export const LOOKS: readonly string[] = ['bloom', 'desk', 'harbour', 'ink', 'paper'];

/** The chosen settings of page and widget; they are sent again after each load of the page. */
export interface Settings {
  readonly isRightToLeft: boolean;
  readonly isMotionReduced: boolean;
  readonly areColoursForced: boolean;
  /** A tag; empty: the browser's. */
  readonly language: string;
  /** One of {@link LOOKS}; empty: the widget's own. */
  readonly look: string;
  readonly theme: string;
  /** Colours of the page, and of the widget where `theme` is `auto`; empty: the system's. */
  readonly scheme: '' | 'light' | 'dark';
  readonly features: readonly string[];
}

/** As pages come from the demo. */
export const DEFAULTS: Settings = {
  isRightToLeft: false,
  isMotionReduced: false,
  areColoursForced: false,
  language: '',
  look: '',
  theme: 'auto',
  scheme: '',
  features: ['feedback'],
};

/** Sends the differences between two settings to page and widget. */
export async function applySettings(link: WidgetLink, next: Settings, before: Settings): Promise<void> {
  const calls: Promise<unknown>[] = [];
  const change = (read: (settings: Settings) => unknown, name: string, value: unknown): void => {
    if (JSON.stringify(read(next)) !== JSON.stringify(read(before))) calls.push(link.call(name, value));
  };
  change((all) => all.isRightToLeft, 'setDirection', next.isRightToLeft ? 'rtl' : 'ltr');
  change(languageOf, 'setLanguage', languageOf(next) || navigator.language);
  change(assumedMedia, 'setAssumedMedia', assumedMedia(next));
  change((all) => all.look, 'setLook', next.look === '' ? null : `/bench/looks/${next.look}.css`);
  change((all) => all.scheme, 'setScheme', next.scheme);
  change(themeOf, 'setTheme', themeOf(next));
  change((all) => all.features, 'update', { features: next.features });
  await Promise.all(calls);
}

/** A page from right to left is in a language that is written so. */
const languageOf = ({ language, isRightToLeft }: Settings): string => language || (isRightToLeft ? 'ar' : '');

const themeOf = ({ theme, scheme }: Settings): string => (theme === 'auto' && scheme !== '' ? scheme : theme);

const assumedMedia = ({ isMotionReduced, areColoursForced }: Settings): readonly string[] => [
  ...(isMotionReduced ? ['(prefers-reduced-motion: reduce)'] : []),
  ...(areColoursForced ? ['(forced-colors: active)'] : []),
];
