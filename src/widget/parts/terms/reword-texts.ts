import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { PartTexts } from '../../locales/catalogue.ts';
import type { WidgetOptions } from '../../options.ts';

/** Returns texts in one language with the site's own wording; with `part`, the texts of that part. */
export type RewordTexts = <Texts extends object>(
  texts: Texts,
  language: string,
  part?: keyof PartTexts,
) => Texts;

/** The site's own wording, with its problems. */
export interface Rewording {
  /** Reads the options signal. An invalid text is left out, so that the widget's own stays. */
  readonly reword: RewordTexts;
  /** One sentence for each text that was left out so far. */
  readonly problems: readonly string[];
}

// A record, so that the compiler reports a missing part.
const PARTS: Readonly<Record<keyof PartTexts, true>> = {
  contact: true,
  feedback: true,
  home: true,
  hours: true,
  notices: true,
  privacy: true,
  survey: true,
  tools: true,
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the fault of a text that replaces `usual`; `null` for none. */
function findFault(text: unknown, usual: unknown): string | null {
  if (isText(usual)) return isText(text) ? null : 'is not a text';
  if (usual === undefined) return 'is not a text of the widget; check its spelling';
  const isCounted = isObject(text) && isText(text['other']) && Object.values(text).every(isText);
  return isCounted ? null : 'is not an object with a text for each plural form, at least for "other"';
}

/** Creates the rewording by the option `strings`. `report` is called once for each problem. */
export function createRewording(
  options: ReadonlySignal<WidgetOptions>,
  report: (problem: string) => void,
): Rewording {
  const wording = computed((): unknown => options.value.strings);
  // Created again with other wording only, so that a change of another option neither repeats nor loses a problem.
  const checked = computed(() => ({ strings: wording.value, problems: new Set<string>() }));

  return {
    reword(texts, language, part) {
      const { strings, problems } = checked.value;
      const note = (problem: string): void => {
        if (problems.has(problem)) return;
        problems.add(problem);
        report(problem);
      };
      const all = isObject(strings) ? strings[language] : undefined;
      const own = part && isObject(all) ? all[part] : all;
      if (!isObject(own)) return texts;
      const usual = new Map<string, unknown>(Object.entries(texts));
      const fitting = Object.entries(own).filter(([name, text]) => {
        const isGroup = !part && Object.hasOwn(PARTS, name);
        if (text === undefined || (isGroup && isObject(text))) return false;
        const fault = isGroup
          ? 'is not an object with the texts of that group'
          : findFault(text, usual.get(name));
        if (fault) note(`strings (${language}): ${part ? `${part}.` : ''}${name} ${fault}.`);
        return !fault;
      });
      return { ...texts, ...Object.fromEntries(fitting) };
    },
    get problems() {
      return [...checked.peek().problems];
    },
  };
}
