import { foldText } from '../text/tokenize.ts';

// Primary subtags of the languages visitors are likely to ask for; being here says nothing about being supported.
const CODES = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'it',
    'nl',
    'pt',
    'da',
    'nb',
    'sv',
    'fi',
    'is',
    'fo',
    'pl',
    'cs',
    'sk',
    'hu',
    'ro',
    'bg',
  ],
  ...[
    'el',
    'tr',
    'ru',
    'uk',
    'et',
    'lv',
    'lt',
    'hr',
    'sr',
    'sl',
    'ga',
    'gd',
    'cy',
    'br',
    'ca',
    'eu',
    'gl',
    'mt',
    'ar',
  ],
  ...['he', 'fa', 'hi', 'ur', 'bn', 'zh', 'ja', 'ko', 'vi', 'th', 'id'],
];

const EXTRA_NAMES: Readonly<Record<string, readonly string[]>> = {
  nb: ['norwegian', 'norsk'],
  zh: ['mandarin', 'chinese'],
  gd: ['gaelic', 'scots gaelic'],
  fa: ['farsi'],
  es: ['castellano'],
  nl: ['flemish'],
};

const plain = (name: string): string =>
  foldText(name)
    .replace(/[^\p{L} ]+/gu, ' ')
    .trim();

function namesOf(code: string): readonly string[] {
  const english = new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
  const own = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return [plain(english), plain(own), ...(EXTRA_NAMES[code] ?? [])].filter((name) =>
    /^[a-z ]{3,}$/.test(name),
  );
}

const CODE_BY_NAME: ReadonlyMap<string, string> = new Map(
  CODES.flatMap((code) => namesOf(code).map((name) => [name, code] as const)),
);

const NAME = `(${[...CODE_BY_NAME.keys()].sort((one, other) => other.length - one.length).join('|')})`;

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `^(?:can|could|would|will|do|are|may) (?:you|we|i) (?:able to |please |also |perhaps )*(?:speak|talk|write|chat|answer|reply|respond|switch|change|continue|understand|do|have|use|get)\\b(?: \\S+){0,4}? ${NAME}(?: please| instead)*$`,
  ),
  new RegExp(
    `^(?:please )?(?:switch|change|speak|talk|reply|answer|write|continue|respond|chat)(?: \\S+){0,4}? ${NAME}(?: please| instead| now)*$`,
  ),
  new RegExp(
    `^(?:in |auf |en |op |pa |em |po |w )?${NAME}(?: please| bitte| por favor| sil vous plait| per favore)*$`,
  ),
  new RegExp(
    `^(?:i |id |we )(?:only |just |would )*(?:speak|prefer|like|want)(?: \\S+){0,2}? ${NAME}(?: please)?$`,
  ),
  new RegExp(
    `^(?:sprechen|sprichst|konnen|kannst|habla|hablas|hablan|puede|parlez|parle|peux|pouvez|parli|parla|spreekt|spreek|kunt|fala|falas|taler|snakker|talar)\\b(?: \\S+){0,4}? ${NAME}(?: please| sprechen| bitte)*$`,
  ),
];

const OF_SOMEBODY =
  /\b(?:who|that|which|anyone|anybody|someone|somebody|staff|menus?|guides?|tours?|versions?)\b/;

/** The primary subtag of the language a visitor asks the chat to use, or null. `words` is folded, without punctuation. */
export function readLanguageRequest(words: string): string | null {
  // "Do you have a doctor who speaks Polish" is no wish for the chat.
  if (OF_SOMEBODY.test(words)) return null;
  for (const pattern of PATTERNS) {
    const name = pattern.exec(words)?.[1];
    if (name !== undefined) return CODE_BY_NAME.get(name) ?? null;
  }
  return null;
}
